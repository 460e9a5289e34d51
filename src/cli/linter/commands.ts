/** Runs with the arguments behind the command's name, and returns the exit code. */
export type Run = (args: readonly string[]) => Promise<number>

interface LinterCommand {
  /** For the list of commands. */
  summary: string
  run: Run
}

/**
 * Commands that need neither the service nor the network. They are bundled into a program of their
 * own, since they are called by editors and hooks (`scripts/bundle.js`).
 */
export const linterCommands = {
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
} satisfies Record<string, LinterCommand>

export type LinterCommandName = keyof typeof linterCommands

/** Runs one of these commands by its name. */
export async function runLinter([name = '', ...args]: readonly string[]): Promise<void> {
  process.exitCode = await linterCommands[name as LinterCommandName].run(args)
}
