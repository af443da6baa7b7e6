/** Returns a tag as the value of a scope's term: "env=prod", or the name of a tag without a value. */
export const tagValue = ([name, value]: [string, string]): string => (value === '' ? name : `${name}=${value}`);
