/** Addresses are compared without regard to case, as every mail system in use does. */
export const normaliseEmail = (email: string): string => email.trim().toLowerCase();
