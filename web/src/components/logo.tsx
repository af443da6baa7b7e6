interface MarkProps {
  size?: number;
  /** The line of the sign-in page and of the strip runs on by itself; this is only the ring and its own line. */
  title?: string;
}

/** A circle crossed by a horizontal line: the load line of a ship. */
export function Mark({ size = 24, title }: MarkProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={size <= 16 ? 2.6 : 2}
      role={title === undefined ? undefined : 'img'}
      aria-label={title}
      aria-hidden={title === undefined ? true : undefined}
    >
      <path d="M12 5a7 7 0 1 0 0 14a7 7 0 1 0 0-14Z M1 12h22" />
    </svg>
  );
}
