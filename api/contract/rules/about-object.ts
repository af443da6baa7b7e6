/** Returns what an alert says with its object first: "shop/web: 3 of 5 pods in CrashLoopBackOff", unless it names the object. */
export const aboutObject = (object: string | null, sentence: string): string =>
  object === null || object === '' || sentence.includes(object) ? sentence : `${object}: ${sentence}`;
