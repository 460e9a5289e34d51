import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { branchRef } from '../domain/commit/commit.ts'
import { skipCommand } from '../domain/request/skip.ts'
import { UsageError } from './errors.ts'

const execute = promisify(execFile)

interface RepositoryCopy {
  /** A separate bare repository; the original is not touched. */
  repository: string
  branch: string
  /** The top folder of the work tree, even if a folder inside it was given. */
  root: string
  /** Description of the built files, for users. */
  description: string
  /** Names of the files and folders at the root of the built commit. */
  names: string[]
}

/**
 * Copies a repository's files to build into a bare repository: the commit HEAD or, unless `headOnly`,
 * the current files, as a commit on top of HEAD. Files that git ignores are left out.
 */
export async function copyRepository(
  folder: string,
  to: string,
  { headOnly }: { headOnly: boolean },
): Promise<RepositoryCopy> {
  const root = await topLevel(folder)
  const head = await commitOf(root)
  const branch = await branchOf(root)
  const repository = path.join(to, `${path.basename(root)}.git`)
  const options = ['--quiet', '--bare', '--depth=50', '--no-tags', '--single-branch']
  await git(to, [
    '-c',
    'advice.detachedHead=false',
    'clone',
    ...options,
    `file://${root}`,
    repository,
  ])

  await keepOrigin(root, repository)

  const tree = headOnly ? undefined : await treeOf(root, repository, path.join(to, 'index'))
  const headTree = await git(root, ['rev-parse', 'HEAD^{tree}'])
  const isClean = tree === undefined || tree === headTree
  const message = await git(root, ['log', '-1', '--format=%B'])
  const hasNoSkip = skipCommand(message) === undefined
  const sha = isClean && hasNoSkip ? head : await commitTree(repository, tree ?? headTree, message)
  await git(repository, ['update-ref', branchRef(branch), sha])
  await git(repository, ['symbolic-ref', 'HEAD', branchRef(branch)])
  const short = head.slice(0, 7)
  return {
    repository,
    branch,
    root,
    description: isClean ? `commit ${short}` : `working tree on top of ${short}`,
    names: (await git(repository, ['ls-tree', '-z', '--name-only', sha])).split('\0'),
  }
}

/** Gives the copy the address that the folder was cloned from: Go packages are named after it. */
async function keepOrigin(root: string, repository: string): Promise<void> {
  const origin = await git(root, ['config', '--get', 'remote.origin.url']).catch(() => '')
  if (origin === '') await git(repository, ['remote', 'remove', 'origin'])
  else await git(repository, ['remote', 'set-url', 'origin', origin.replace(/\/\/[^/@]*@/, '//')])
}

async function topLevel(folder: string): Promise<string> {
  try {
    return await git(folder, ['rev-parse', '--show-toplevel'])
  } catch {
    throw new UsageError(
      `${path.resolve(folder)} is not inside a git repository with a work tree: ` +
        'give the folder of one, or run `git init` and commit something',
    )
  }
}

async function commitOf(root: string): Promise<string> {
  try {
    return await git(root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])
  } catch {
    throw new UsageError(`${root} has no commit yet: commit something first`)
  }
}

/** With a detached HEAD there is no branch; filters and variables still need a name. */
async function branchOf(root: string): Promise<string> {
  return git(root, ['symbolic-ref', '--quiet', '--short', 'HEAD']).catch(() => 'HEAD-detached')
}

/** The tree of all current files, written into the copy: the original gets no new objects. */
async function treeOf(root: string, repository: string, index: string): Promise<string> {
  const env = { GIT_DIR: repository, GIT_WORK_TREE: root, GIT_INDEX_FILE: index }
  await git(root, ['read-tree', 'HEAD'], env)
  await git(root, ['-c', 'core.bare=false', 'add', '--all', '.'], env)
  return git(root, ['write-tree'], env)
}

/** Removes a skip command from the message: a commit is built by hand despite it. */
function withoutSkip(message: string): string {
  const command = skipCommand(message)
  return command === undefined ? message : withoutSkip(message.replace(command, ''))
}

async function commitTree(repository: string, tree: string, message: string): Promise<string> {
  const who = { name: 'build-service', email: 'build-service@localhost' }
  return git(repository, ['commit-tree', tree, '-p', 'HEAD', '-m', withoutSkip(message)], {
    GIT_AUTHOR_NAME: who.name,
    GIT_AUTHOR_EMAIL: who.email,
    GIT_COMMITTER_NAME: who.name,
    GIT_COMMITTER_EMAIL: who.email,
  })
}

/** Runs git, and returns its output, trimmed. */
export async function git(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  return (await gitOutput(cwd, args, env)).trim()
}

/** Runs git, and returns its unchanged output. */
export async function gitOutput(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await execute('git', args, {
    cwd,
    env: { ...process.env, GIT_TERMINAL_PROMPT: '0', ...env },
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
}
