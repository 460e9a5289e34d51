/** Something in the config that no program can be made of (pipeline 3.3). */
export class Uncompilable extends Error {}
