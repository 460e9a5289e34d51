import { chmod, chown, lstat, mkdir, readdir, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Step } from '../../executor.ts'
import { isRoot, type JobUser } from '../job-user.ts'
import { removeFolder } from '../remove-folder.ts'

/** The folder of one run: `home`, a folder per step while it runs, and `input`. */
export interface Workspace {
  /** `runner+job+run`, which identifies its owner. */
  name: string
  /** If the service runs as root, root owns it, so that no job can replace its direct entries. */
  folder: string
  home: string
  user: JobUser | undefined
}

export async function openWorkspace(
  place: string,
  name: string,
  user: JobUser | undefined,
): Promise<Workspace> {
  const folder = path.join(place, name)
  const home = path.join(folder, 'home')
  // Not recursive: an existing folder belongs to another run.
  await mkdir(folder)
  await chmod(folder, 0o711)
  await ownFolder(home, user)
  for (const [file, text] of Object.entries(accounts)) {
    await writeFile(path.join(folder, file), text)
    await chmod(path.join(folder, file), 0o644)
  }
  return { name, folder, home, user }
}

/** A sandbox sees these as `/etc/passwd` and `/etc/group`: on the machine itself, uid 1000 may belong to a person. */
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
  await mkdir(folder, { mode: 0o700 })
  await writeFile(file, step.script, { mode: 0o600, flag: 'wx' })
  if (!workspace.user) return
  const { uid, gid } = workspace.user
  await chown(file, uid, gid)
  // Last: in a folder that the job's user owns, `file` could become a link to a file of root.
  await chown(folder, uid, gid)
}

export async function removeScript(workspace: Workspace, step: Step): Promise<void> {
  await removeFolder(stepFolder(workspace, step), workspace.user)
}

/** Rejects when a part of it could not be removed. */
export async function removeWorkspace({ folder, user }: Workspace): Promise<void> {
  for (const name of await readdir(folder)) await removeFolder(path.join(folder, name), user)
  await rmdir(folder)
}

/** The existing workspaces of this runner, including those of its earlier processes. */
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
