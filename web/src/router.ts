import { useSearchParams as useShownSearch } from 'react-router-dom';
import type { NavigateOptions } from 'react-router-dom';

/** The one door to the router: its package changes name, its callers need not know. */
export {
  createBrowserRouter,
  Link,
  Navigate,
  NavLink,
  Outlet,
  RouterProvider,
  useLocation,
  useNavigate,
  useParams,
} from 'react-router-dom';
export type { RouteObject } from 'react-router-dom';

type Change = (before: URLSearchParams) => URLSearchParams;

/**
 * The address' parameters, and how to change them. A change begins with the address as it is, not as it was when this
 * component was last drawn: of two quick changes the second must not undo the first.
 */
export function useSearchParams(): [URLSearchParams, (change: Change, options?: NavigateOptions) => void] {
  const [shown, setShown] = useShownSearch();
  return [shown, (change, options) => setShown(change(new URLSearchParams(window.location.search)), options)];
}
