import type { Dirent } from 'node:fs'
import { readdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import { contains } from './hidden.ts'

/** Files that hold the tokens of registries and hosts, wherever a version manager keeps them. */
const secretNames = new Set([
  ...['npmrc', '.npmrc', '.yarnrc', '.yarnrc.yml', 'pip.conf', '.pypirc'],
  ...['.netrc', '.git-credentials'],
])

/** Folders are looked into so deep, and so many of them: a cache of modules may hold thousands. */
const deepest = 7
const mostFolders = 5000

/** A folder of this machine, and where a sandbox shows it. */
interface Shown {
  at: string
  folder: string
}

/** Where a sandbox would show such files, at this moment: versions come and go while a runner runs. */
export async function managerSecrets(shown: readonly Shown[]): Promise<string[]> {
  const found = new Set<string>()
  for (const { folder } of shown) {
    for (const file of await secretsBelow(folder)) {
      // What a link leads to can be seen only if it is shown as well.
      const target = await realpath(file).catch(() => undefined)
      const holder = shown.find((each) => target !== undefined && contains(each.folder, target))
      if (target === undefined || holder === undefined) continue
      found.add(path.join(holder.at, path.relative(holder.folder, target)))
    }
  }
  return [...found]
}

async function secretsBelow(top: string): Promise<string[]> {
  const found: string[] = []
  let level = [top]
  let folders = 0
  for (let depth = 0; depth < deepest && level.length > 0; depth += 1) {
    const next: string[] = []
    for (const folder of level) {
      if ((folders += 1) > mostFolders) return found
      const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => [])
      for (const entry of entries) {
        const at = path.join(folder, entry.name)
        if (entry.isDirectory()) next.push(at)
        else if (secretNames.has(entry.name)) found.push(at)
      }
    }
    level = next
  }
  return found
}
