import { readdir, realpath, stat } from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import path from 'node:path'
import { systemPath } from './environment.ts'
import { contains, type Hidden } from './hidden.ts'

/** What jobs get of this machine besides the system's own folders. */
export interface ToolOptions {
  /** The folders in which jobs look for programs; without it the usual ones. */
  path?: readonly string[] | undefined
  /** Further folders that jobs may read. */
  readOnly?: readonly string[] | undefined
}

export interface Tools {
  path: string
  /** Where to show which folder, in a sandbox. */
  shown: { at: string; folder: string }[]
  /** What version managers want to know. */
  variables: Record<string, string>
  /** What could not be shown, and why. */
  warnings: string[]
}

/** Of the step that has the credentials: it calls only what the system has. */
export const noTools: Tools = { path: systemPath, shown: [], variables: {}, warnings: [] }

/** The folders of version managers, by their names, and the variable that tells each its own. */
const managerVariables: Readonly<Record<string, string>> = {
  '.nvm': 'NVM_DIR',
  '.volta': 'VOLTA_HOME',
  '.rustup': 'RUSTUP_HOME',
  '.pyenv': 'PYENV_ROOT',
  '.rbenv': 'RBENV_ROOT',
  '.asdf': 'ASDF_DATA_DIR',
  '.sdkman': 'SDKMAN_DIR',
}

/** What a sandbox makes itself: nothing of the machine may lie over it, or around it. */
const ownFolders = ['/proc', '/dev', '/run', '/tmp', '/var/tmp', '/home/ci', '/job', '/input']

/** Where accounts keep their keys, passwords and tokens, in their homes. */
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

interface Machine {
  hidden: Hidden
  canBeReached: (folder: string) => Promise<boolean>
}

const unreachable = 'the users that jobs run as cannot enter it, or a folder above it'

/** Leaves out folders that are missing, and, with a warning, those that jobs cannot or must not see. */
export async function findTools(
  { path: folders, readOnly = [] }: ToolOptions,
  { hidden, canBeReached }: Machine,
): Promise<Tools> {
  const closed = await secretPlaces()
  const tools: Tools = { ...noTools, shown: [], variables: {}, warnings: [] }
  const unseen: string[] = []
  for (const at of new Set(readOnly.map((name) => path.resolve(name)))) {
    const folder = await folderAt(at)
    if (folder === undefined) continue
    const problem =
      refusal(at, folder, hidden, closed) ??
      ((await canBeReached(folder)) ? undefined : unreachable)
    if (problem !== undefined) {
      tools.warnings.push(`jobs do not see the folder ${at}: ${problem}`)
      unseen.push(at)
      continue
    }
    tools.shown.push({ at, folder })
    const variable = managerVariables[path.basename(at)]
    if (variable !== undefined) tools.variables[variable] = at
  }
  // What contains another one comes first: later binds lie over earlier ones.
  tools.shown.sort((a, b) => a.at.length - b.at.length)
  if (folders) {
    const untold = folders.filter((folder) => !unseen.some((at) => isOrContains(at, folder)))
    tools.path = await pathOf(folders, canBeReached)
    tools.warnings.push(...(await unreachableOf(untold, canBeReached)))
  }
  return tools
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
  if (folder === '/' || ownFolders.some(around)) return 'a sandbox has its own there'
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
async function pathOf(folders: readonly string[], canBeReached: Machine['canBeReached']) {
  const found: string[] = []
  for (const folder of new Set(folders)) {
    if (path.isAbsolute(folder) && (await canBeReached(folder))) found.push(folder)
  }
  return [...new Set([...found, ...systemPath.split(':')])].join(':')
}

/** A sentence for each folder of a path that is there, though not for jobs. */
async function unreachableOf(
  folders: readonly string[],
  canBeReached: Machine['canBeReached'],
): Promise<string[]> {
  const told: string[] = []
  for (const folder of new Set(folders.filter((name) => path.isAbsolute(name)))) {
    if ((await folderAt(folder)) === undefined || (await canBeReached(folder))) continue
    told.push(`jobs do not look for programs in ${folder}: ${unreachable}`)
  }
  return told
}
