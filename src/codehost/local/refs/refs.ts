import { isUtf8 } from 'node:buffer'
import { branchRef } from '../../../domain/commit/commit.ts'
import { isSha } from '../../ref-names.ts'
import type { Git } from '../git.ts'

/**
 * The refs at or below these names with the objects they point to, sorted by name. Refs whose names are
 * not UTF-8 are skipped: neither the database nor an event can contain them.
 */
export async function refsBelow(
  git: Git,
  path: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  // Without names, git would list all refs.
  if (names.length === 0) return new Map()
  const format = '--format=%(objectname) %(refname)'
  const { output } = await git(path, ['for-each-ref', format, '--end-of-options', ...names])
  return new Map(
    linesOf(output).map((line) => [line.replace(/^\S+ /, ''), line.split(' ', 1)[0] ?? '']),
  )
}

function linesOf(output: Buffer): string[] {
  if (isUtf8(output)) return output.toString().split('\n').slice(0, -1)
  // Decoding one byte per character keeps the lines separate and is reversible.
  const lines = output.toString('latin1').split('\n').slice(0, -1)
  return lines
    .map((line) => Buffer.from(line, 'latin1'))
    .filter(isUtf8)
    .map(String)
}

/** The tips of branches, in the order of the names. */
export async function tipsOf(
  git: Git,
  path: string,
  branches: readonly string[],
): Promise<(string | undefined)[]> {
  const refs = await refsBelow(git, path, branches.map(branchRef))
  return branches.map((branch) => refs.get(branchRef(branch)))
}

/** The id of the commit that an object is or, as a tag, points to. */
export async function commitAt(git: Git, path: string, sha: string): Promise<string | undefined> {
  if (!isSha(sha)) return undefined
  const { output } = await git(path, ['cat-file', '--batch-check'], { input: `${sha}^{commit}\n` })
  return /^([0-9a-f]+) commit \d+\n$/.exec(output.toString())?.[1]
}

/**
 * The default branch of a repository. In a bare repository, this is HEAD; elsewhere HEAD is only the
 * branch that is checked out, and builds must not follow it to another branch.
 */
export async function defaultBranch(git: Git, path: string): Promise<string> {
  const [bare, head, upstream] = await Promise.all([
    isBare(git, path),
    symbolicRef(git, path, 'HEAD'),
    symbolicRef(git, path, 'refs/remotes/origin/HEAD'),
  ])
  const branches = await refsBelow(git, path, ['refs/heads'])
  const current = head?.replace(/^refs\/heads\//, '')
  const original = upstream?.replace(/^refs\/remotes\/origin\//, '')
  const candidates = [bare ? current : original, 'main', 'master', current]
  const found = candidates.find((name) => name !== undefined && branches.has(branchRef(name)))
  const [first] = branches.keys()
  return found ?? first?.replace(/^refs\/heads\//, '') ?? current ?? 'main'
}

export async function isBare(git: Git, path: string): Promise<boolean> {
  const { output } = await git(path, ['rev-parse', '--is-bare-repository'])
  return output.toString() === 'true\n'
}

async function symbolicRef(git: Git, path: string, ref: string): Promise<string | undefined> {
  const { code, output } = await git(path, ['symbolic-ref', '--quiet', ref], { accept: [0, 1] })
  return code === 0 ? output.toString().trimEnd() : undefined
}

/** Whether `later` contains all commits of `earlier`; false if either is missing. */
export async function contains(
  git: Git,
  path: string,
  later: string,
  earlier: string,
): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', earlier, later]
  const { code } = await git(path, args, { accept: [0, 1, 128] })
  return code === 0
}
