import {
  chmod,
  chown,
  lstat,
  mkdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import path from 'node:path'
import type { Git } from './git.ts'
import { isBare } from './refs.ts'

export interface InstalledHooks {
  /** The hooks that call the command now. */
  installed: string[]
  /** A sentence for each hook that somebody else has, with the line to add to it. */
  notes: string[]
}

const firstLines =
  '#!/bin/sh\n# Tells build-service what has changed here. Made by "build-service local add".\n'

/**
 * Has git call a line of shell after each push to the repository or, where people work in it, after
 * each commit and merge. Git does not wait for it, and its failure is nobody's. Hooks of others stay
 * as they are. `directory` is the git directory.
 */
export async function installHook(
  git: Git,
  directory: string,
  command: string,
): Promise<InstalledHooks> {
  const names = await hookNames(git, directory)
  const line = hookLine(command)
  const usual = path.join(directory, 'hooks')
  await makeFolder(usual)
  const folder = await hooksFolder(git, directory)

  const result: InstalledHooks = { installed: [], notes: [] }
  for (const name of names) {
    const file = path.join(folder, name)
    // A folder of hooks that is elsewhere may serve many repositories, and be kept in one.
    const done = folder === usual && (await putHook(file, line))
    if (done) result.installed.push(name)
    else result.notes.push(note(file, line))
  }
  return result
}

/** Takes away the hooks that `installHook` made, and no others. */
export async function removeHooks(git: Git, directory: string): Promise<void> {
  for (const name of await hookNames(git, directory)) {
    const file = path.join(directory, 'hooks', name)
    if (isOurs(await textOf(file))) await rm(file)
  }
}

async function hookNames(git: Git, directory: string): Promise<string[]> {
  return (await isBare(git, directory)) ? ['post-receive'] : ['post-commit', 'post-merge']
}

async function hooksFolder(git: Git, directory: string): Promise<string> {
  const args = ['config', '--local', '--get', 'core.hooksPath']
  const { code, output } = await git(directory, args, { accept: [0, 1] })
  return code === 0 ? output.toString().trimEnd() : realpath(path.join(directory, 'hooks'))
}

/** What git tells its hooks by variables would lead the command to the wrong repository. */
function hookLine(command: string): string {
  return `(unset $(git rev-parse --local-env-vars); ${command}) </dev/null >/dev/null 2>&1 &`
}

function note(file: string, line: string): string {
  return `${file} was not made by build-service and is left as it is; add this line to it: ${line}`
}

async function putHook(file: string, line: string): Promise<boolean> {
  const text = await textOf(file)
  if (text?.split('\n').includes(line)) return true
  if (text !== undefined && !isOurs(text)) return false

  // Git may run the hook at any moment and must not find half of it.
  const fresh = `${file}.${process.pid}`
  await writeFile(fresh, `${firstLines}${line}\n`)
  await chmod(fresh, 0o755)
  await giveToOwner(fresh)
  await rename(fresh, file)
  return true
}

/** Undefined when there is nothing; a link or a folder counts as somebody else's, whatever is in it. */
async function textOf(file: string): Promise<string | undefined> {
  const found = await lstat(file).catch(() => undefined)
  if (!found) return undefined
  return found.isFile() ? readFile(file, 'utf8') : ''
}

/** Whoever has added to our hook has made it theirs. */
function isOurs(text: string | undefined): boolean {
  return text?.startsWith(firstLines) === true && /^.*\n$/.test(text.slice(firstLines.length))
}

async function makeFolder(folder: string): Promise<void> {
  if ((await mkdir(folder, { recursive: true })) !== undefined) await giveToOwner(folder)
}

/** What root makes in somebody's folder belongs to that somebody. */
async function giveToOwner(file: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(path.dirname(file))
  await chown(file, uid, gid)
}
