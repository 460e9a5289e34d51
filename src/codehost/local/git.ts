import { execFile, type ExecFileException } from 'node:child_process'
import { CodehostError, type CodehostFailure } from '../codehost.ts'
import { identityIn } from './identity.ts'

export interface GitCall {
  input?: string
  /** Exit codes that are a result, not a failure. */
  accept?: readonly number[]
  env?: Readonly<Record<string, string>>
  /** Whether `folder` can be any folder of a repository, not just its git directory. */
  discover?: boolean
}

export interface GitResult {
  code: number
  output: Buffer
}

/**
 * Runs git in a repository, without a shell and with nothing of the caller's environment. Names that
 * come from outside must be validated before they become arguments (see `names.ts`).
 */
export type Git = (folder: string, args: readonly string[], call?: GitCall) => Promise<GitResult>

const mebibyte = 1024 * 1024
const usualFolders = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin:/run/current-system/sw/bin'

/** `searchPath` is where git is looked up, `outputLimit` the most bytes of its output. */
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
      // If git ends before it has read everything, its exit code says why.
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
      // A registered folder is trusted, also if it belongs to another user.
      'safe.directory': '*',
      'core.hooksPath': '/dev/null',
      'core.fsmonitor': 'false',
      // Two requests for one pull request can write the same ref at once.
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
  const failed = (why: string, kind: CodehostFailure) =>
    new CodehostError(`git ${command} in ${folder}: ${why}`, { kind, cause: error })

  if (exitCode(error) === undefined) return failed(...unfinished(error))
  if (complaint.includes('not a git repository')) return gone(folder, error)
  const lines = complaint.trim().split('\n')
  const fatal = lines.find((line) => line.startsWith('fatal: ')) ?? lines.at(-1) ?? ''
  // Another git process, most likely the user's, is writing there.
  const kind = /\.lock': File exists/.test(complaint) ? 'away' : 'refused'
  return failed(fatal.replace(/^fatal: /, '') || `it ended with ${exitCode(error)}`, kind)
}

/** Why git did not end by itself, and whether it may the next time. */
function unfinished(error: ExecFileException | null): [why: string, kind: CodehostFailure] {
  const code: unknown = error?.code
  if (code === 'ENOENT') return ['the program is missing: install git 2.38 or later', 'refused']
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return ['its output is too large', 'refused']
  return [error?.killed ? 'it took too long' : (error?.message ?? 'it was ended'), 'away']
}

function gone(folder: string, cause: unknown): CodehostError {
  return new CodehostError(
    `there is no git repository at ${folder} any more: restore it there, or remove it ` +
      'with "build-service local remove" and add it again at its new location',
    { kind: 'missing', cause },
  )
}
