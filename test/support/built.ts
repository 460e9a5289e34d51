import { execFileSync } from 'node:child_process'
import path from 'node:path'
import type { Vite } from 'vitest/node'

const root = path.resolve(import.meta.dirname, '../..')
const sources = path.join(root, 'src') + path.sep
const built = path.join(root, 'dist') + path.sep

/** Files of the build, which Node.js loads without a detour through Vite. */
export const builtFolder = new RegExp(`^${built.replaceAll(/[^\w/-]/g, '\\$&')}`)

/** The file that is built from a source; other files stay as they are. */
export function builtFrom(file: string): string {
  if (!file.startsWith(sources)) return file
  return built + file.slice(sources.length).replace(/\.tsx?$/, '.js')
}

/** Builds before anything is loaded, if a source is newer than the build. */
export const buildFirst: Vite.Plugin = {
  name: 'build-first',
  configureVitest() {
    const program = path.join(root, 'scripts/build.js')
    execFileSync(process.execPath, [program, '--if-stale'], { stdio: 'inherit' })
  },
}

/** Tests import sources, for their types, and run what is built from them: it is what users get. */
export const loadBuilt: Vite.Plugin = {
  name: 'load-built',
  enforce: 'pre',
  resolveId(id, importer) {
    if (importer === undefined || !id.startsWith('.')) return null
    const file = path.resolve(path.dirname(importer), id)
    return file.startsWith(sources) ? builtFrom(file) : null
  },
}

/** Files changed since a commit, or not committed yet; with each source, what is built from it. */
export async function changedFiles({
  root: folder,
  changedSince,
}: {
  root: string
  changedSince?: string | boolean
}): Promise<string[]> {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).split('\n').filter(Boolean)
  const since = typeof changedSince === 'string' ? changedSince : 'HEAD'
  const names = [
    ...git('diff', '--name-only', '--relative', since),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
  return names.map((name) => path.join(folder, name)).flatMap((file) => [file, builtFrom(file)])
}
