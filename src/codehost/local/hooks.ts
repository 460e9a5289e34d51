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
import { hookLog, removeHookLog } from './hook-log.ts'
import { isBare } from './refs.ts'

export interface InstalledHooks {
  /** The hooks that call the command now. */
  installed: string[]
  /** A sentence for each hook that is not ours, with the line to add to it. */
  notes: string[]
}

const firstLines =
  '#!/bin/sh\n# Tells build-service what has changed here. Made by "build-service local add".\n'

/**
 * Makes git run a line of shell after each push to a bare repository, and after each commit and merge
 * in any other. Git does not wait for it; its failure is kept in the hook's log. Hooks of others are
 * not changed.
 * `directory` is the git directory.
 */
export async function installHook(
  git: Git,
  directory: string,
  command: string,
): Promise<InstalledHooks> {
  const names = await hookNames(git, directory)
  const line = hookLine(command, directory)
  const usual = path.join(directory, 'hooks')
  await makeFolder(usual)
  const folder = await hooksFolder(git, directory)

  const result: InstalledHooks = { installed: [], notes: [] }
  for (const name of names) {
    const file = path.join(folder, name)
    // A folder of hooks elsewhere can serve many repositories, or be versioned in one.
    const done = folder === usual && (await putHook(file, line))
    if (done) result.installed.push(name)
    else result.notes.push(note(file, line))
  }
  return result
}

/** Removes the hooks that `installHook` created, with their log, and no others. */
export async function removeHooks(git: Git, directory: string): Promise<void> {
  for (const name of await hookNames(git, directory)) {
    const file = path.join(directory, 'hooks', name)
    if (isOurs(await textOf(file))) await rm(file)
  }
  await removeHookLog(directory)
}

async function hookNames(git: Git, directory: string): Promise<string[]> {
  return (await isBare(git, directory)) ? ['post-receive'] : ['post-commit', 'post-merge']
}

async function hooksFolder(git: Git, directory: string): Promise<string> {
  const args = ['config', '--local', '--get', 'core.hooksPath']
  const { code, output } = await git(directory, args, { accept: [0, 1] })
  return code === 0 ? output.toString().trimEnd() : realpath(path.join(directory, 'hooks'))
}

/** The variables that git sets for hooks would lead the command to the wrong repository. */
function hookLine(command: string, directory: string): string {
  const log = `'${hookLog(directory).replaceAll("'", `'\\''`)}'`
  return `(unset $(git rev-parse --local-env-vars); ${command}) </dev/null >/dev/null 2>${log} &`
}

function note(file: string, line: string): string {
  return `${file} was not created by build-service and is not changed; add this line to it: ${line}`
}

async function putHook(file: string, line: string): Promise<boolean> {
  const text = await textOf(file)
  if (text?.split('\n').includes(line)) return true
  if (text !== undefined && !isOurs(text)) return false

  // Git can run the hook at any moment and must not find a partial one.
  const fresh = `${file}.${process.pid}`
  await writeFile(fresh, `${firstLines}${line}\n`)
  await chmod(fresh, 0o755)
  await giveToOwner(fresh)
  await rename(fresh, file)
  return true
}

/** Undefined if there is none; a link or a folder counts as a hook of others, whatever is in it. */
async function textOf(file: string): Promise<string | undefined> {
  const found = await lstat(file).catch(() => undefined)
  if (!found) return undefined
  return found.isFile() ? readFile(file, 'utf8') : ''
}

/** A hook of ours that someone has edited is not ours any more. */
function isOurs(text: string | undefined): boolean {
  return text?.startsWith(firstLines) === true && /^.*\n$/.test(text.slice(firstLines.length))
}

async function makeFolder(folder: string): Promise<void> {
  if ((await mkdir(folder, { recursive: true })) !== undefined) await giveToOwner(folder)
}

/** What root creates in a folder must belong to the folder's owner. */
async function giveToOwner(file: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(path.dirname(file))
  await chown(file, uid, gid)
}
