import { randomUUID } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import path from 'node:path'
import type { Git } from '../git.ts'
import { isBare } from '../refs/refs.ts'
import { hookLog, removeHookLog } from './hook-log.ts'
import { asOwner } from './owner-shell.ts'

export interface InstalledHooks {
  /** The hooks that call the command now. */
  installed: string[]
  /** A sentence for each hook of someone else, with the line to add to it. */
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
  await makeHooksFolder(directory)
  const folder = await hooksFolder(git, directory)

  const result: InstalledHooks = { installed: [], notes: [] }
  for (const name of names) {
    const file = path.join(folder, name)
    // A folder of hooks elsewhere can serve many repositories, or be versioned in one.
    const done = folder === usual && (await putHook(directory, name, line))
    if (done) result.installed.push(name)
    else result.notes.push(note(file, line))
  }
  return result
}

/** Removes only the hooks that `installHook` created, with their log. */
export async function removeHooks(git: Git, directory: string): Promise<void> {
  for (const name of await hookNames(git, directory)) {
    if (isOurs(await readHook(directory, name))) await removeHook(directory, name)
  }
  await removeHookLog(directory)
}

async function hookNames(git: Git, directory: string): Promise<string[]> {
  return (await isBare(git, directory)) ? ['post-receive'] : ['post-commit', 'post-merge']
}

async function hooksFolder(git: Git, directory: string): Promise<string> {
  const args = ['config', '--local', '--get', 'core.hooksPath']
  const { code, output } = await git(directory, args, { accept: [0, 1] })
  if (code === 0) return output.toString().trimEnd()
  const usual = path.join(directory, 'hooks')
  return realpath(usual).catch(() => `${usual} (a broken link)`)
}

/** The variables that git sets for hooks would lead the command to the wrong repository. */
function hookLine(command: string, directory: string): string {
  const log = `'${hookLog(directory).replaceAll("'", `'\\''`)}'`
  return `(unset $(git rev-parse --local-env-vars); ${command}) </dev/null >/dev/null 2>${log} &`
}

function note(file: string, line: string): string {
  return `${file} was not created by build-service and is not changed; add this line to it: ${line}`
}

async function putHook(directory: string, name: string, line: string): Promise<boolean> {
  const text = await readHook(directory, name)
  if (text?.split('\n').includes(line)) return true
  if (text !== undefined && !isOurs(text)) return false
  await writeHook(directory, name, `${firstLines}${line}\n`)
  return true
}

/** A hook that someone has edited no longer counts as created by the service. */
function isOurs(text: string | undefined): boolean {
  return text?.startsWith(firstLines) === true && /^.*\n$/.test(text.slice(firstLines.length))
}

// Files of the folder `hooks` in a git directory, which belongs to the owner of the repository.

/** Creates the folder unless something with its name exists. */
async function makeHooksFolder(directory: string): Promise<void> {
  await asOwner(directory, '[ -e hooks ] || [ -L hooks ] || mkdir hooks')
}

const none = 4

/** Undefined if there is no hook; a link or a folder counts as someone else's hook, whatever it contains. */
async function readHook(directory: string, name: string): Promise<string | undefined> {
  const script = `
    file="hooks/$1"
    [ -e "$file" ] || [ -L "$file" ] || exit ${none}
    if [ -f "$file" ] && [ ! -L "$file" ]; then head -c 1000000 -- "$file"; fi`
  const { code, output } = await asOwner(directory, script, { args: [name], accept: [0, none] })
  return code === none ? undefined : output
}

/** Replaced atomically: git can run the hook at any moment and never finds a partial one. */
async function writeHook(directory: string, name: string, text: string): Promise<void> {
  const script = `
    umask 022
    set -C
    cat > "hooks/$2" && chmod 755 "hooks/$2" && mv -f -- "hooks/$2" "hooks/$1" && exit
    rm -f -- "hooks/$2"
    exit 1`
  await asOwner(directory, script, { args: [name, `${name}.${randomUUID()}`], input: text })
}

async function removeHook(directory: string, name: string): Promise<void> {
  await asOwner(directory, 'rm -f -- "hooks/$1"', { args: [name] })
}
