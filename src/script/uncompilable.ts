/** Something in the config that no program can be made of. */
export class Uncompilable extends Error {}
