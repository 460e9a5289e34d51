import { lstat, rm, rmdir } from 'node:fs/promises'
import { bareEnvironment } from './environment.ts'
import type { JobUser } from './job-user.ts'
import { runProgram } from './program.ts'

/**
 * Removes a folder, or file, in the folder of a run. Jobs leave folders without write permission,
 * which need it first. What belongs to the job's user is removed as that user and never as root: a
 * process that escaped could exchange folders for links meanwhile. Rejects when something is left.
 */
export async function removeFolder(folder: string, user: JobUser | undefined): Promise<void> {
  const found = await lstat(folder).catch(() => undefined)
  if (!found) return
  if (!found.isDirectory()) return rm(folder, { force: true })
  if (user && found.uid !== user.uid) return rm(folder, { recursive: true, force: true })

  const command = 'rm -rf -- "$1" || { chmod -R u+rwX -- "$1"; rm -rf -- "$1"; }'
  await runProgram('bash', ['-c', command, 'bash', folder], { env: bareEnvironment, user })
  if (!user) return rm(folder, { recursive: true, force: true })
  // Only its parent's owner can remove the folder itself, which is empty by now.
  await rmdir(folder)
}
