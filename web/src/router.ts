import { createElement, useCallback } from 'react';
import {
  Link as AnyLink,
  NavLink as AnyNavLink,
  useLocation,
  useNavigate as useAnyNavigate,
  useSearchParams as useShownSearch,
} from 'react-router-dom';
import type { LinkProps, NavigateOptions, NavLinkProps } from 'react-router-dom';
import { carry, keepCarried, type Carried } from './carried.ts';

/** The only import of the router: if its package changes name, its callers stay the same. */
export { createBrowserRouter, Navigate, Outlet, RouterProvider, useLocation, useParams } from 'react-router-dom';
export type { LoaderFunction, RouteObject } from 'react-router-dom';

type Change = (before: URLSearchParams) => URLSearchParams;
/** `endsMoment`: the page goes back to now if the change removes the moment. */
type SearchChange = NavigateOptions & { endsMoment?: boolean };

/** A link that takes the scope and the moment of this page along. */
export function Link({ to, ...rest }: LinkProps) {
  const { search } = useLocation();
  return createElement(AnyLink, { ...rest, to: typeof to === 'string' ? carry(to, search) : to });
}

/** An entry of a navigation that takes the scope and the moment of this page along. */
export function NavLink({ to, ...rest }: NavLinkProps) {
  const { search } = useLocation();
  return createElement(AnyNavLink, { ...rest, to: typeof to === 'string' ? carry(to, search) : to });
}

/** Returns a function that adds the scope and the moment of this page to an address. */
export function useCarried(): (to: string) => string {
  const { search } = useLocation();
  return useCallback((to) => carry(to, search), [search]);
}

/** Goes to a page and takes the scope and the moment along. */
export function useNavigate(): (to: string, options?: NavigateOptions) => void | Promise<void> {
  const navigate = useAnyNavigate();
  return useCallback((to, options) => navigate(carry(to, window.location.search), options), [navigate]);
}

/**
 * The address' parameters, and how to change them. A change begins with the address as it is, not as it was when this
 * component was last drawn: of two quick changes the second must not undo the first. The scope stays, and so does the
 * moment unless the change is the one that ends it (`endsMoment`).
 */
export function useSearchParams(): [URLSearchParams, (change: Change, options?: SearchChange) => void] {
  const [shown] = useShownSearch();
  // The router's own setter is a new one after each change, which would draw every row of a list again.
  const navigate = useAnyNavigate();
  const set = useCallback(
    (change: Change, { endsMoment = false, ...options }: SearchChange = {}) => {
      const before = new URLSearchParams(window.location.search);
      const after = change(new URLSearchParams(before));
      if (endsMoment && !after.has('at')) before.delete('at');
      void navigate(`?${keepCarried(before, after).toString()}`, options);
    },
    [navigate],
  );
  return [shown, set];
}

/** The address' parameters, and how to set one that goes from page to page; '' removes it. */
export function useViewParameters(): [URLSearchParams, (name: Carried, value: string) => void] {
  const [shown, setShown] = useShownSearch();
  return [
    shown,
    (name, value) => {
      const next = new URLSearchParams(window.location.search);
      if (value === '') next.delete(name);
      else next.set(name, value);
      setShown(next);
    },
  ];
}
