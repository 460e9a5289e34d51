import type { Dirent } from 'node:fs'
import { readdir, readFile, realpath } from 'node:fs/promises'
import path from 'node:path'
import { contains } from './masked-paths.ts'

/** Files in which version managers keep tokens of registries and hosts, in any folder. */
const secretNames = new Set([
  ...['npmrc', '.npmrc', '.yarnrc', '.yarnrc.yml', 'pip.conf', '.pypirc', '.condarc'],
  ...['.netrc', '.git-credentials', '.env', 'gradle.properties', 'credentials', 'credentials.toml'],
])

/** Such files with names that other files have too, each with its parent folder. */
const secretPaths = new Set(['.bundle/config', '.git/config'])

/** Limits of the search, in depth and number of folders: a cache of modules may hold thousands. */
const deepest = 7
const mostFolders = 20_000

/** A folder of this machine, and where a sandbox shows it. */
interface Shown {
  at: string
  folder: string
}

interface ManagerSecrets {
  /** Where a sandbox would show such files. */
  files: string[]
  /** The folders that hold too much to be searched. */
  unsearched: string[]
}

/** The secret files that exist at this moment: versions come and go while a runner runs. */
export async function managerSecrets(shown: readonly Shown[]): Promise<ManagerSecrets> {
  const found = new Set<string>()
  const unsearched: string[] = []
  for (const { at, folder } of shown) {
    const secrets = await secretsBelow(folder)
    if (secrets === undefined) unsearched.push(at)
    for (const file of secrets ?? []) {
      // The target of a link is visible only if its folder is also shown.
      const target = await realpath(file).catch(() => undefined)
      const holder = shown.find((each) => target !== undefined && contains(each.folder, target))
      if (target === undefined || holder === undefined) continue
      found.add(path.join(holder.at, path.relative(holder.folder, target)))
    }
  }
  return { files: [...found], unsearched }
}

/** Undefined where there are too many folders. */
async function secretsBelow(top: string): Promise<string[] | undefined> {
  const found: string[] = []
  let level = [top]
  let folders = 0
  for (let depth = 0; depth < deepest && level.length > 0; depth += 1) {
    const next: string[] = []
    for (const folder of level) {
      if ((folders += 1) > mostFolders) return undefined
      const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => [])
      for (const entry of entries) {
        const at = path.join(folder, entry.name)
        if (entry.isDirectory()) next.push(at)
        else if (await isSecret(folder, entry.name)) found.push(at)
      }
    }
    level = next
  }
  return found
}

async function isSecret(folder: string, name: string): Promise<boolean> {
  if (secretNames.has(name)) return true
  if (name === 'settings.xml') return hasPassword(path.join(folder, name))
  return secretPaths.has(`${path.basename(folder)}/${name}`)
}

/** Whether a Maven settings file has a password: an empty file would stop Maven, so others stay visible. */
async function hasPassword(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return /<(?:password|passphrase|privateKey)>/.test(text.replaceAll(/<!--[^]*?-->/g, ''))
}
