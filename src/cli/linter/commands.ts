/** Runs a command with the arguments after its name, and returns the exit code. */
export type RunCommand = (args: readonly string[]) => Promise<number>

interface LinterCommand {
  /** For the list of commands. */
  summary: string
  run: RunCommand
}

/**
 * Commands that need neither the service nor the network. They are bundled into a separate program,
 * because editors and hooks call them (`scripts/bundle.js`).
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
    summary: 'explain a linter code',
    run: async (args) => (await import('./explain-code.ts')).explainCode(args),
  },
  inspect: {
    summary: 'check many build files from standard input, with JSON output',
    run: async (args) => (await import('./inspect/inspect.ts')).inspect(args),
  },
} satisfies Record<string, LinterCommand>

export type LinterCommandName = keyof typeof linterCommands

/** Runs one of the linter's commands by its name. */
export async function runLinter([name = '', ...args]: readonly string[]): Promise<void> {
  process.exitCode = await linterCommands[name as LinterCommandName].run(args)
}
