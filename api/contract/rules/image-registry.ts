/** A registry with the path below which images lie: lower case, no scheme, like registry.example.com:5000/team. */
export const IMAGE_REGISTRY = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?(:[0-9]+)?(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*$/;
