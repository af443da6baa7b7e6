/** One line of the dashboard: whether the clusters survive the loss of a node. */
export function SurvivalLine() {
  return null;
}
