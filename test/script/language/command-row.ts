export type Config = Record<string, unknown> & { language: string }

/** Files of a repository, by name; files in a list are empty. */
export type Files = readonly string[] | Record<string, string>

/** The default commands of a job of a language with these files. */
export type CommandRow = [
  config: string | Config,
  files: Files,
  commands: readonly string[],
  /** Versions of programs, in addition to those of `default-commands.test.ts`. */
  versions?: Record<string, string>,
]

/** A program that succeeds, and prints this version. */
export const stub = (version: string) => `#!/bin/sh\necho ${version}\n`
