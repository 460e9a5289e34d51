import { execFile, type ExecFileException } from 'node:child_process'
import { CodehostError, type CodehostFailure } from '../codehost.ts'
import { identityIn } from './identity.ts'

export interface GitCall {
  input?: string
  /** Exit codes that are an answer, not a failure. */
  accept?: readonly number[]
  env?: Readonly<Record<string, string>>
  /** Whether `folder` may be any folder of a repository, not just its git directory. */
  discover?: boolean
}

export interface GitAnswer {
  code: number
  output: Buffer
}

/**
 * Runs git in a repository, without a shell and with nothing of the caller's environment. Names that
 * come from outside must have been looked at before they become arguments (see `names.ts`).
 */
export type Git = (folder: string, args: readonly string[], call?: GitCall) => Promise<GitAnswer>

const mebibyte = 1024 * 1024
const usualFolders = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin:/run/current-system/sw/bin'

/** `searchPath` is where the program is looked for, `outputLimit` the most bytes it may answer. */
export function createGit(searchPath = usualFolders, outputLimit = 32 * mebibyte): Git {
  return async (folder, args, { input = '', accept = [0], env = {}, discover = false } = {}) => {
    const runAs = await identity(folder)
    return new Promise((resolve, reject) => {
      const child = execFile(
        'git',
        args,
        {
          cwd: folder,
          env: { ...cleanEnvironment(searchPath), ...(discover ? {} : { GIT_DIR: '.' }), ...env },
          ...runAs,
          encoding: 'buffer',
          maxBuffer: outputLimit,
          timeout: 120_000,
        },
        (error, output, complaint) => {
          const code = exitCode(error)
          if (code !== undefined && accept.includes(code)) resolve({ code, output })
          else reject(failure(folder, args, error, complaint.toString()))
        },
      )
      // A program that ends before it has read everything says why by its exit code.
      child.stdin?.on('error', () => {})
      child.stdin?.end(input)
    })
  }
}

async function identity(folder: string) {
  try {
    return await identityIn(folder)
  } catch (cause) {
    throw gone(folder, cause)
  }
}

function cleanEnvironment(searchPath: string): Record<string, string> {
  return {
    PATH: searchPath,
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    // No protocol at all: nothing is fetched, whatever remotes the repository has.
    GIT_ALLOW_PROTOCOL: '',
    GIT_LITERAL_PATHSPECS: '1',
    // Jobs get what a clone gets, and that knows no replacements.
    GIT_NO_REPLACE_OBJECTS: '1',
    ...configuration({
      // Whoever registers a folder trusts it, also when it is somebody else's.
      'safe.directory': '*',
      'core.hooksPath': '/dev/null',
      'core.fsmonitor': 'false',
      // Two requests about one pull request may write the same ref at once.
      'core.filesRefLockTimeout': '1000',
      'i18n.commitEncoding': 'UTF-8',
      'i18n.logOutputEncoding': 'UTF-8',
    }),
  }
}

function configuration(values: Record<string, string>): Record<string, string> {
  const entries = Object.entries(values)
  const variables = entries.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ])
  return { ...Object.fromEntries(variables), GIT_CONFIG_COUNT: String(entries.length) }
}

function exitCode(error: ExecFileException | null): number | undefined {
  if (!error) return 0
  return typeof error.code === 'number' ? error.code : undefined
}

function failure(
  folder: string,
  [command = '']: readonly string[],
  error: ExecFileException | null,
  complaint: string,
): CodehostError {
  const because = (why: string, kind: CodehostFailure) =>
    new CodehostError(`git ${command} in ${folder}: ${why}`, { kind, cause: error })

  if (exitCode(error) === undefined) return because(...unfinished(error))
  if (complaint.includes('not a git repository')) return gone(folder, error)
  const lines = complaint.trim().split('\n')
  const fatal = lines.find((line) => line.startsWith('fatal: ')) ?? lines.at(-1) ?? ''
  // Another git, the user's most likely, is just writing there.
  const kind = /\.lock': File exists/.test(complaint) ? 'away' : 'refused'
  return because(fatal.replace(/^fatal: /, '') || `it ended with ${exitCode(error)}`, kind)
}

/** Why a git did not come to an end of its own, and whether it may the next time. */
function unfinished(error: ExecFileException | null): [why: string, kind: CodehostFailure] {
  const code: unknown = error?.code
  if (code === 'ENOENT') return ['the program is not there: install git 2.38 or later', 'refused']
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return ['it answered too much to be read', 'refused']
  return [error?.killed ? 'it took too long' : (error?.message ?? 'it was ended'), 'away']
}

function gone(folder: string, cause: unknown): CodehostError {
  return new CodehostError(
    `there is no git repository at ${folder} any more: put it back there, or take it off the list ` +
      'with "build-service local remove" and add it anew where it is now',
    { kind: 'missing', cause },
  )
}
