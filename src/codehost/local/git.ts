import { execFile, type ExecFileException } from 'node:child_process'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { CodehostError, type CodehostFailure } from '../codehost.ts'

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
 * Runs git in a repository, without a shell and without the caller's environment. Names from outside
 * must be validated before they become arguments (see `names.ts`).
 */
export type Git = (folder: string, args: readonly string[], call?: GitCall) => Promise<GitResult>

const mebibyte = 1024 * 1024
const usualFolders = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin:/run/current-system/sw/bin'

/** `searchPath` is where git is looked up, `outputLimit` the maximum size of its output in bytes. */
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
      // If git ends before it has read its whole input, the exit code tells why.
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
    // Allows no protocol: nothing is fetched, whatever remotes the repository has.
    GIT_ALLOW_PROTOCOL: '',
    GIT_LITERAL_PATHSPECS: '1',
    // Jobs get the contents of a clone, and clones ignore replacement refs.
    GIT_NO_REPLACE_OBJECTS: '1',
    ...configuration({
      // A registered folder is trusted, even if it belongs to another user.
      'safe.directory': '*',
      'core.hooksPath': '/dev/null',
      'core.fsmonitor': 'false',
      // Two requests for one pull request can write the same ref at the same time.
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

/** Why git did not exit normally, and what kind of failure that is. */
function unfinished(error: ExecFileException | null): [why: string, kind: CodehostFailure] {
  const code: unknown = error?.code
  if (code === 'ENOENT') return ['the program is missing: install git 2.38 or later', 'refused']
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return ['its output is too large', 'refused']
  return [error?.killed ? 'it took too long' : (error?.message ?? 'it was ended'), 'away']
}

function gone(folder: string, cause: unknown): CodehostError {
  return new CodehostError(
    `the git repository at ${folder} is gone: restore it there, or remove it ` +
      'with "build-service local remove" and add it again at its new location',
    { kind: 'missing', cause },
  )
}

interface Identity {
  uid: number
  gid: number
}

/**
 * The user that git runs as in a folder if this process is root: the folder's owner, so that written
 * files belong to the owner and a program from the repository's own configuration gets no more rights
 * than the owner. Undefined if a folder of root's locks the owner out, as with mounts below an
 * inaccessible folder; only root's folders count, because other users could lock a folder of their
 * own, and then their configuration would run as root. Throws if the folder does not exist.
 */
export async function identityIn(folder: string): Promise<Identity | undefined> {
  const { uid, gid } = await stat(folder)
  if (process.getuid?.() !== 0 || uid === 0) return undefined
  return (await mayEnter({ uid, gid }, folder)) ? { uid, gid } : undefined
}

async function mayEnter(identity: Identity, folder: string): Promise<boolean> {
  const { uid, gid, mode } = await stat(folder)
  const right = uid === identity.uid ? 0o100 : gid === identity.gid ? 0o010 : 0o001
  if (uid === 0 && (mode & right) === 0) return false
  const above = path.dirname(folder)
  return above === folder || mayEnter(identity, above)
}
