export type Config = Record<string, unknown> & { language: string }

/** Files of a repository, by name; those of a list are empty. */
export type Files = readonly string[] | Record<string, string>

/** What a job of a language with these files runs by default. */
export type CommandRow = [
  config: string | Config,
  files: Files,
  commands: readonly string[],
  /** Versions of programs, in addition to those of `default-commands.test.ts`. */
  versions?: Record<string, string>,
]

/** A program that succeeds, and prints this version. */
export const stub = (version: string) => `#!/bin/sh\necho ${version}\n`
