import { existsSync } from 'node:fs'
import path from 'node:path'

/** Folders of version managers in a home directory; their programs need the whole folder. */
const managers = [
  '.nvm',
  '.volta',
  '.rustup',
  '.pyenv',
  '.rbenv',
  '.asdf',
  '.sdkman',
  'sdk',
] as const

/**
 * The settings that give jobs the caller's programs: the caller's PATH and, outside the system's
 * folders, read access only to the folders of the PATH and the version managers that they belong to.
 */
export function callerTools(env: Readonly<Record<string, string | undefined>>): {
  RUNNER_PATH: string
  RUNNER_READ_ONLY: string
} {
  const home = env.HOME ? path.resolve(env.HOME) : undefined
  const folders = (env.PATH ?? '').split(':').filter((name) => path.isAbsolute(name))
  const found = folders.map((name) => path.resolve(name)).filter((name) => existsSync(name))
  const readOnly = found.flatMap((folder) => neededFor(folder, home))
  return {
    RUNNER_PATH: [...new Set(found)].join(':'),
    RUNNER_READ_ONLY: [...new Set(readOnly)].join(':'),
  }
}

function neededFor(folder: string, home: string | undefined): string[] {
  if (home === undefined || !folder.startsWith(`${home}/`)) return [folder]
  const [first = ''] = path.relative(home, folder).split('/')
  // Cargo stores its credentials next to its programs.
  if (first === '.cargo') return [folder, path.join(home, '.rustup')]
  // In a Go workspace, jobs get the modules, but not the sources next to them.
  if (first === 'go') return [folder, path.join(home, 'go/pkg')]
  return [managers.some((name) => name === first) ? path.join(home, first) : folder]
}
