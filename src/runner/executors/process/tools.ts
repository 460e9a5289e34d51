import { readdir, realpath, stat } from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import path from 'node:path'
import { systemPath } from '../environment.ts'
import { contains, type Hidden } from './masked-paths.ts'
import { reachable } from './run-directory.ts'

/** The parts of this machine that jobs can use in addition to the system's own folders. */
export interface ToolOptions {
  /** The folders in which jobs look for programs; defaults to the usual folders. */
  path?: readonly string[] | undefined
  /** More folders that jobs may read. */
  readOnly?: readonly string[] | undefined
}

export interface Tools {
  path: string
  /** Folders to show in a sandbox, and the path of each there. */
  shown: { at: string; folder: string }[]
  /** Environment variables for version managers. */
  variables: Record<string, string>
  /** Folders that could not be shown, with reasons. */
  warnings: string[]
}

/** Tools of the step that has the credentials: it calls only programs of the system. */
export const noTools: Tools = { path: systemPath, shown: [], variables: {}, warnings: [] }

/** Environment variable with which each version manager finds its folder, by name of the folder. */
const managerVariables: Readonly<Record<string, string>> = {
  '.nvm': 'NVM_DIR',
  '.volta': 'VOLTA_HOME',
  '.rustup': 'RUSTUP_HOME',
  '.pyenv': 'PYENV_ROOT',
  '.rbenv': 'RBENV_ROOT',
  '.asdf': 'ASDF_DATA_DIR',
  '.sdkman': 'SDKMAN_DIR',
}

/** Folders that the sandbox creates itself: no folder of the machine may be mounted over or around them. */
const ownFolders = ['/proc', '/dev', '/run', '/tmp', '/var/tmp', '/home/ci', '/job', '/input']

/** Where accounts keep keys, passwords and tokens, relative to their homes. */
const secretNames = [
  ...['.ssh', '.aws', '.config', '.docker', '.gnupg', '.kube', '.azure'],
  ...[
    '.netrc',
    '.npmrc',
    '.yarnrc.yml',
    '.pypirc',
    '.git-credentials',
    '.pgpass',
    '.gem/credentials',
  ],
  ...[
    '.cargo/credentials',
    '.cargo/credentials.toml',
    '.m2/settings.xml',
    '.gradle/gradle.properties',
  ],
]

async function secretPlaces(): Promise<string[]> {
  const others = (await readdir('/home').catch(() => [])).map((name) => path.join('/home', name))
  const homes = [...new Set([homedir(), userInfo().homedir, '/root', ...others])]
  const names = homes.flatMap((home) => secretNames.map((name) => path.join(home, name)))
  const resolved = await Promise.all(names.map((name) => realpath(name).catch(() => name)))
  return [...new Set([...names, ...resolved])]
}

const unreachable = 'the accounts that run jobs cannot enter it, or a folder above it'

/** Leaves out missing folders and, with a warning, folders that jobs cannot or must not see. */
export async function findTools(
  { path: folders, readOnly = [] }: ToolOptions,
  hidden: Hidden,
): Promise<Tools> {
  const closed = await secretPlaces()
  const tools: Tools = { ...noTools, shown: [], variables: {}, warnings: [] }
  const wanted = await allThere(readOnly)
  const searched = [...new Set(folders)].filter((folder) => path.isAbsolute(folder))
  const reached = await reachable([...wanted.map(({ folder }) => folder), ...searched])
  const unseen: string[] = []
  for (const { at, folder } of wanted) {
    const problem =
      refusal(at, folder, hidden, closed) ?? (reached.has(folder) ? undefined : unreachable)
    if (problem !== undefined) {
      tools.warnings.push(`jobs do not see the folder ${at}: ${problem}`)
      unseen.push(at)
      continue
    }
    tools.shown.push({ at, folder })
    const variable = managerVariables[path.basename(at)]
    if (variable !== undefined) tools.variables[variable] = at
  }
  // Outer folders come first: later mounts cover earlier ones.
  tools.shown.sort((a, b) => a.at.length - b.at.length)
  if (folders) {
    tools.path = pathOf(searched.filter((folder) => reached.has(folder)))
    const untold = searched.filter(
      (folder) => !reached.has(folder) && !unseen.some((at) => isOrContains(at, folder)),
    )
    for (const { at } of await allThere(untold)) {
      tools.warnings.push(`jobs do not look for programs in ${at}: ${unreachable}`)
    }
  }
  return tools
}

/** The given folders that exist, without duplicates, each with the target of its links. */
async function allThere(names: readonly string[]): Promise<Tools['shown']> {
  const all = [...new Set(names.map((name) => path.resolve(name)))]
  const found = await Promise.all(all.map(async (at) => ({ at, folder: await folderAt(at) })))
  return found.flatMap(({ at, folder }) => (folder === undefined ? [] : [{ at, folder }]))
}

async function folderAt(name: string): Promise<string | undefined> {
  const folder = await realpath(name).catch(() => undefined)
  if (folder === undefined) return undefined
  return (await stat(folder)).isDirectory() ? folder : undefined
}

function refusal(
  at: string,
  folder: string,
  { folders, files }: Hidden,
  closed: readonly string[],
): string | undefined {
  const around = (inner: string) => [at, folder].some((outer) => isOrContains(outer, inner))
  const within = (outer: string) => [at, folder].some((inner) => isOrContains(outer, inner))
  if (folder === '/' || ownFolders.some(around)) return 'sandboxes have their own folder there'
  if ([...folders, ...files].some((name) => within(name) || around(name))) {
    return 'it holds data of the service, or is part of it'
  }
  const secret = closed.find((name) => within(name) || around(name))
  return secret === undefined ? undefined : `it holds ${secret}, or is part of it`
}

function isOrContains(outer: string, inner: string): boolean {
  return outer === inner || contains(outer === '/' ? '' : outer, inner)
}

/** Folders that jobs cannot enter are left out: a shell would stop at programs that cannot be run. */
function pathOf(reached: readonly string[]): string {
  return [...new Set([...reached, ...systemPath.split(':')])].join(':')
}
