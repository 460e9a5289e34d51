import { chmod, chown, lstat, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Step } from '../../executor.ts'
import { bareEnvironment } from './environment.ts'
import { isRoot, type JobUser } from './job-user.ts'
import { runProgram } from './program.ts'

/** The folder of one run: `home`, a folder per step while it runs, and `input`. */
export interface Workspace {
  /** `runner+job+run`, so that it tells whose it is. */
  name: string
  folder: string
  home: string
  user: JobUser | undefined
}

const allowed = /^[\w.-]{1,110}$/

/** Ids become names of folders and a job's home, so they may hold no sign that could surprise. */
export function checkId(id: string): string {
  if (!allowed.test(id)) throw new Error(`an id may hold letters, digits, ".", "_" and "-": ${id}`)
  return id
}

export async function openWorkspace(
  place: string,
  name: string,
  user: JobUser | undefined,
): Promise<Workspace> {
  const folder = path.join(place, name)
  const home = path.join(folder, 'home')
  // Not recursive: a folder that is there already belongs to another run.
  await mkdir(folder)
  await chmod(folder, 0o711)
  await ownFolder(home, user)
  for (const [file, text] of Object.entries(accounts)) {
    await writeFile(path.join(folder, file), text)
    await chmod(path.join(folder, file), 0o644)
  }
  return { name, folder, home, user }
}

/** What a sandbox sees as `/etc/passwd` and `/etc/group`: uid 1000 could be anybody's otherwise. */
const accounts = {
  passwd:
    'root:x:0:0:root:/root:/bin/bash\nci:x:1000:1000:ci:/home/ci:/bin/bash\n' +
    'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n',
  group: 'root:x:0:\nci:x:1000:\nnogroup:x:65534:\n',
}

/** A folder that only the job's user may enter. */
async function ownFolder(folder: string, user: JobUser | undefined): Promise<void> {
  await mkdir(folder, { mode: 0o700 })
  if (user) await chown(folder, user.uid, user.gid)
}

export function stepFolder({ folder }: Workspace, step: Step): string {
  return path.join(folder, step.name)
}

/** The script is there only while its step runs, so that no step reads the other's secrets. */
export async function writeScript(workspace: Workspace, step: Step): Promise<void> {
  const folder = stepFolder(workspace, step)
  const file = path.join(folder, 'build.sh')
  await ownFolder(folder, workspace.user)
  await writeFile(file, step.script, { mode: 0o600, flag: 'wx' })
  if (workspace.user) await chown(file, workspace.user.uid, workspace.user.gid)
}

export async function removeScript(workspace: Workspace, step: Step): Promise<void> {
  const folder = stepFolder(workspace, step)
  try {
    await rm(folder, { recursive: true, force: true })
  } catch {
    await removeTrees([folder], workspace.user)
  }
}

/** Rejects when something of it could not be removed. */
export async function removeWorkspace({ folder, user }: Workspace): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  await removeTrees(
    names.map((name) => path.join(folder, name)),
    user,
  )
  await rm(folder, { recursive: true, force: true })
}

/**
 * Jobs leave folders without write permission, which have to get it first. As root all of it is done
 * as the job's user: whatever still runs there could otherwise lead us astray with links.
 */
async function removeTrees(folders: string[], user: JobUser | undefined): Promise<void> {
  const command = 'rm -rf -- "$@" || { chmod -R u+rwX -- "$@"; rm -rf -- "$@"; }'
  await runProgram('bash', ['-c', command, 'bash', ...folders], { env: bareEnvironment, user })
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
}

/** The workspaces of this runner that are there, whoever made them. */
export async function findWorkspaces(
  place: string,
  runner_id: string,
): Promise<{ workspace: Workspace; run_id: string }[]> {
  const names = await readdir(place).catch(() => [])
  const found = names.map(async (name) => {
    const [runner, job, run_id] = name.split('+')
    if (runner !== runner_id || job === undefined || run_id === undefined) return []
    return [{ workspace: await workspaceAt(place, name), run_id }]
  })
  return (await Promise.all(found)).flat()
}

async function workspaceAt(place: string, name: string): Promise<Workspace> {
  const folder = path.join(place, name)
  const home = path.join(folder, 'home')
  const owner = await lstat(home).catch(() => undefined)
  const user = isRoot() && owner?.uid ? { uid: owner.uid, gid: owner.gid } : undefined
  return { name, folder, home, user }
}
