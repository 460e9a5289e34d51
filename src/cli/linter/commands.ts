export interface LinterCommand {
  /** For the list of commands. */
  summary: string
  /** Runs with the arguments behind the command's name, and returns the exit code. */
  run: (args: readonly string[]) => Promise<number>
}

/**
 * Commands that need neither the service nor the network. They are bundled into a program of their
 * own, since they are called by editors and hooks (`scripts/bundle.js`).
 */
export const linterCommands: Readonly<Record<string, LinterCommand>> = {
  lint: {
    summary: 'check a build file, and fix what can be fixed',
    run: async (args) => (await import('./lint.ts')).lint(args),
  },
  expand: {
    summary: 'show the jobs that a build file makes, and why others are left out',
    run: async (args) => (await import('./expand/expand.ts')).expand(args),
  },
  explain: {
    summary: 'say what a code of the linter means',
    run: async (args) => (await import('./explain-code.ts')).explainCode(args),
  },
  inspect: {
    summary: 'report everything about many build files, for programs',
    run: async (args) => (await import('./inspect/inspect.ts')).inspect(args),
  },
}

/** Runs one of these commands by its name. */
export async function runLinter([name = '', ...args]: readonly string[]): Promise<void> {
  process.exitCode = await linterCommands[name]?.run(args)
}
