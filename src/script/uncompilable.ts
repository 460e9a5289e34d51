/** The config contains something that no program can be generated from. */
export class Uncompilable extends Error {}
