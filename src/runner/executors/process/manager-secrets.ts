import { readdir } from 'node:fs/promises'
import path from 'node:path'

/**
 * Files below the folder of a version manager, or of one installation, that hold the tokens of
 * registries; `*` stands for any name.
 */
const patterns = [
  ...['etc/npmrc', '*/etc/npmrc', 'versions/node/*/etc/npmrc', 'installs/*/*/etc/npmrc'],
  ...['tools/image/node/*/etc/npmrc', 'pip.conf', 'versions/*/pip.conf', 'installs/*/*/pip.conf'],
  'versions/*/envs/*/pip.conf',
].map((pattern) => pattern.split('/'))

/** Those that there are below a folder. */
export async function managerSecrets(folder: string): Promise<string[]> {
  const found = await Promise.all(patterns.map((pattern) => matching(folder, pattern)))
  return [...new Set(found.flat())]
}

async function matching(folder: string, [name, ...rest]: readonly string[]): Promise<string[]> {
  if (name === undefined) return []
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const fitting = entries.filter((entry) => name === '*' || entry.name === name)
  const below = fitting.map(async (entry) => {
    const at = path.join(folder, entry.name)
    if (rest.length > 0) return entry.isDirectory() ? matching(at, rest) : []
    return entry.isFile() || entry.isSymbolicLink() ? [at] : []
  })
  return (await Promise.all(below)).flat()
}
