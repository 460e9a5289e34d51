import { appendFile } from 'node:fs/promises'
import path from 'node:path'
import { commitsOf, findCommit, type GitCommit } from '../../../src/codehost/local/commits.ts'
import { refsBelow } from '../../../src/codehost/local/refs/refs.ts'
import type { Repository } from './tables.ts'
import type { World } from './world.ts'

export interface Entry {
  mode: string
  type: 'blob' | 'tree' | 'commit'
  sha: string
  size?: number
  /** As it stands in the tree that was asked for. */
  path: string
}

const settings = `
[uploadpack]
	# A job fetches a commit by its id, whatever became of its branch.
	allowAnySHA1InWant = true
	allowFilter = true
[http]
	receivepack = true
`

/** Makes the bare git repository of a new repository. */
export async function initialize(
  { git, folder }: Pick<World, 'git' | 'folder'>,
  id: number,
  branch: string,
): Promise<string> {
  const made = path.join(folder, `${id}.git`)
  await git(folder, ['init', '--quiet', '--bare', `--initial-branch=${branch}`, made], {
    discover: true,
  })
  await appendFile(path.join(made, 'config'), settings)
  return made
}

/** The object that a sha, a ref or `<sha>:<path>` is the name of. */
export async function objectAt(
  { git }: World,
  { folder }: Repository,
  name: string,
): Promise<{ sha: string; type: string; size: number } | undefined> {
  const { output } = await git(folder, ['cat-file', '--batch-check', '-z'], { input: `${name}\0` })
  const found = /^([0-9a-f]{40}) (\w+) (\d+)\n$/.exec(output.toString())
  if (!found) return undefined
  const [, sha = '', type = '', size = ''] = found
  return { sha, type, size: Number(size) }
}

export async function readBlob({ git }: World, { folder }: Repository, sha: string) {
  const { output } = await git(folder, ['cat-file', 'blob', sha])
  return output
}

/** What is in a tree; `recursive` with all that is below. */
export async function entriesOf(
  { git }: World,
  { folder }: Repository,
  tree: string,
  recursive = false,
): Promise<Entry[]> {
  const depth = recursive ? ['-r', '-t'] : []
  const { output } = await git(folder, ['ls-tree', '-z', '--long', ...depth, tree])
  return output
    .toString()
    .split('\0')
    .slice(0, -1)
    .map((line) => {
      const [, mode = '', type = '', sha = '', size = '', name = ''] =
        /^(\d+) (\w+) (\w+) +(\S+)\t([^]*)$/.exec(line) ?? []
      return {
        mode,
        type: type as Entry['type'],
        sha,
        path: name,
        ...(size === '-' ? {} : { size: Number(size) }),
      }
    })
}

/** The entry of a commit's tree at a path. */
export async function entryAt(
  world: World,
  repository: Repository,
  commit: GitCommit,
  at: string,
): Promise<Entry | undefined> {
  let entries = await entriesOf(world, repository, commit.tree)
  const parts = at.split('/')
  for (const [index, part] of parts.entries()) {
    const entry = entries.find(({ path }) => path === part)
    if (!entry) return undefined
    if (index === parts.length - 1) return { ...entry, path: at }
    if (entry.type !== 'tree') return undefined
    entries = await entriesOf(world, repository, entry.sha)
  }
  return undefined
}

/** The commit that a sha, a branch, a tag or a ref with or without `refs/` stands for. */
export async function commitNamed(
  { git }: World,
  { folder, default_branch }: Repository,
  name: string,
): Promise<GitCommit | undefined> {
  const wanted = name === 'HEAD' ? default_branch : name
  return (
    (await findCommit(git, folder, wanted)) ?? (await findCommit(git, folder, `refs/${wanted}`))
  )
}

export function branchesAndTags({ git }: World, { folder }: Repository) {
  return refsBelow(git, folder, ['refs/heads', 'refs/tags'])
}

/** A tag, with the object that its ref names and, of an annotated one, what that leads to. */
export interface TagRef {
  name: string
  object: GitObject
  peeled: GitObject | undefined
}

interface GitObject {
  type: string
  sha: string
  /** When it was made; empty for what has no time. */
  date: string
}

/** Newest first: an annotated tag is as old as itself, any other one as its commit. */
export async function newestTags(
  { git }: World,
  { folder }: Repository,
  most: number,
): Promise<TagRef[]> {
  const fields = ['objecttype', 'objectname', 'creatordate:iso-strict']
  const peeled = ['*objecttype', '*objectname', '*committerdate:iso-strict']
  const format = ['refname:strip=2', ...fields, ...peeled].map((field) => `%(${field})`).join(' ')
  const { output } = await git(folder, [
    ...['for-each-ref', '--sort=refname', '--sort=-creatordate'],
    ...[`--count=${most}`, `--format=${format}`, 'refs/tags'],
  ])
  return output
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [name = '', type = '', sha = '', date = '', ...rest] = line.split(' ')
      const [endType = '', endSha = '', endDate = ''] = rest
      return {
        name,
        object: { type, sha, date },
        peeled: endType === '' ? undefined : { type: endType, sha: endSha, date: endDate },
      }
    })
}

export async function isEmpty(world: World, repository: Repository): Promise<boolean> {
  return (await branchesAndTags(world, repository)).size === 0
}

/** The newest commit that two commits have in common. */
export async function mergeBase(
  { git }: World,
  { folder }: Repository,
  ...commits: [string, string]
): Promise<GitCommit | undefined> {
  const { output } = await git(folder, ['merge-base', ...commits], { accept: [0, 1] })
  return findCommit(git, folder, output.toString().trim())
}

/** The newest commits that a commit has and the others have not. */
export function history(
  { git }: World,
  { folder }: Repository,
  from: string,
  without: readonly string[] = [],
  ...options: string[]
): Promise<GitCommit[]> {
  const input = [from, ...without.map((sha) => `^${sha}`), ''].join('\n')
  return commitsOf(git, folder, [...options, '--ignore-missing', '--stdin'], input)
}
