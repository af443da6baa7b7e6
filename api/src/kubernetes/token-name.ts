/** Returns what a cluster token is called: its name, else its end. */
export const nameOfToken = ({ name, lastFour }: { name: string | null; lastFour: string }): string =>
  name ?? `cluster token …${lastFour}`;
