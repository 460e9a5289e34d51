import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll } from 'vitest'
import type { Content, NewCommit, Person } from '../contract.ts'

const ada = { name: 'Ada', email: 'ada@example.org' }
const noon = new Date('2026-01-02T12:00:00Z')

const env = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: ada.name,
  GIT_AUTHOR_EMAIL: ada.email,
  GIT_COMMITTER_NAME: ada.name,
  GIT_COMMITTER_EMAIL: ada.email,
  GIT_AUTHOR_DATE: noon.toISOString(),
  GIT_COMMITTER_DATE: noon.toISOString(),
}

/** Runs git in a folder as a user would, and returns its output. */
export async function git(folder: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { cwd: folder, env })
  return stdout.trimEnd()
}

/** Folders for the tests of a file, which are removed afterwards. */
export async function temporaryFolders() {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'local-codehost-')))
  afterAll(() => rm(root, { recursive: true, force: true }))
  let count = 0

  /** The path of a new folder; neither it nor its parent exists yet. */
  const newFolder = (name = 'hello') => path.join(root, String(++count), name)

  /** A new git repository. */
  async function makeFolder(...options: string[]): Promise<string> {
    const folder = newFolder()
    await git('/', 'init', '--quiet', '--initial-branch=main', ...options, '--', folder)
    return folder
  }
  return { root, newFolder, makeFolder }
}

/** Creates a commit without touching the files that are checked out, and returns its id. */
export async function commit(
  folder: string,
  { branch = 'main', parent, message = 'Change it', files = {}, ...given }: NewCommit = {},
): Promise<string> {
  const ref = `refs/heads/${branch}`
  const from = parent ?? (await git(folder, 'for-each-ref', '--format=%(objectname)', ref))
  const when = `${Math.floor((given.committed_at ?? noon).getTime() / 1000)} +0000`
  const stream = Buffer.concat([
    line(`commit ${ref}`),
    line(`author ${signature(given.author)} ${when}`),
    line(`committer ${signature(given.committer)} ${when}`),
    data(message),
    ...(from === '' ? [] : [line(`from ${from}`)]),
    ...Object.entries(files).map(([name, content]) => change(name, content)),
    line(''),
  ])
  execFileSync('git', ['fast-import', '--quiet', '--force'], { cwd: folder, env, input: stream })
  return git(folder, 'rev-parse', ref)
}

/** Creates a commit with exactly these bytes, even invalid ones. */
export function writeCommit(folder: string, raw: Buffer): string {
  const args = ['hash-object', '-t', 'commit', '-w', '--literally', '--stdin']
  return execFileSync('git', args, { cwd: folder, env, input: raw }).toString().trimEnd()
}

function signature({ name, email }: Person = ada): string {
  return `${name} <${email}>`
}

function change(name: string, content: Content | null): Buffer {
  const quoted = `"${name.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`
  if (content === null) return line(`D ${quoted}`)
  if (typeof content === 'string' || Buffer.isBuffer(content)) {
    return Buffer.concat([line(`M 100644 inline ${quoted}`), data(content)])
  }
  if ('submodule' in content) return line(`M 160000 ${content.submodule} ${quoted}`)
  return Buffer.concat([line(`M 120000 inline ${quoted}`), data(content.link)])
}

function data(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([line(`data ${bytes.length}`), bytes, line('')])
}

function line(text: string): Buffer {
  return Buffer.from(`${text}\n`)
}
