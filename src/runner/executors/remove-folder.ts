import { lstat, rm, rmdir } from 'node:fs/promises'
import { bareEnvironment } from './environment.ts'
import type { JobUser } from './job-user.ts'
import { runProgram } from './program.ts'

/**
 * Removes a folder, or file, in the folder of a run. Jobs leave folders without write permission, so
 * this is restored first. Files of the job's user are removed as that user and never as root: a process
 * that escaped could replace folders with links meanwhile. Rejects when something is left.
 */
export async function removeFolder(folder: string, user: JobUser | undefined): Promise<void> {
  const found = await lstat(folder).catch(() => undefined)
  if (!found) return
  if (!found.isDirectory()) return rm(folder, { force: true })
  if (user && found.uid !== user.uid) return rm(folder, { recursive: true, force: true })

  const command = 'rm -rf -- "$1" || { chmod -R u+rwX -- "$1"; rm -rf -- "$1"; }'
  await runProgram('bash', ['-c', command, 'bash', folder], { env: bareEnvironment, user })
  if (!user) return rm(folder, { recursive: true, force: true })
  // Only the owner of the parent can remove the folder itself, which is empty now.
  await rmdir(folder)
}
