import { existsSync } from 'node:fs'
import path from 'node:path'

/** Folders of version managers in a home, of which all is needed to run one of their programs. */
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
 * The settings that give jobs the programs of whoever calls: their PATH, and of what lies outside of
 * the system's folders only that of the PATH, and the version managers that it leads to.
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
  // Beside these programs cargo keeps its credentials.
  if (first === '.cargo') return [folder, path.join(home, '.rustup')]
  // Of a workspace of Go the modules, and not the sources that lie beside them.
  if (first === 'go') return [folder, path.join(home, 'go/pkg')]
  return [managers.some((name) => name === first) ? path.join(home, first) : folder]
}
