/** The subject of an alert. `key` identifies it within the installation, such as `server:12` or `node:7`. */
export interface Subject {
  key: string;
  /** The object that can take it down: a node's host, a pod's node; null: none. */
  parent: Subject | null;
}

export interface IncidentPlace {
  /** The incident is the open one of this subject. */
  root: string;
  /** Another alert explains this one, so it is not sent by itself. */
  isFolded: boolean;
}

/**
 * Returns the incident of an alert: that of the topmost subject that is down, else of its own subject. `isDown` returns
 * true for a subject with an open alert that takes its children down: an offline server, a node that is not ready.
 * `isCause`: the alert is such an alert of its own subject.
 */
export function placeAlert(subject: Subject, isCause: boolean, isDown: (key: string) => boolean): IncidentPlace {
  let root: string | null = isDown(subject.key) ? subject.key : null;
  for (let above = subject.parent; above !== null; above = above.parent) if (isDown(above.key)) root = above.key;
  if (root === null) return { root: subject.key, isFolded: false };
  return { root, isFolded: root !== subject.key || !isCause };
}
