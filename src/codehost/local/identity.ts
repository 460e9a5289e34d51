import { stat } from 'node:fs/promises'
import path from 'node:path'

interface Identity {
  uid: number
  gid: number
}

/**
 * The user to run as in a folder when this is root: its owner, so that written files stay the owner's
 * and a program from the repository's own configuration gets no more rights than the owner has.
 * Undefined if a folder of root's keeps the owner out, which happens with folders mounted below an
 * inaccessible one; others could close a folder of theirs to have their configuration run as root.
 * Throws if the folder does not exist.
 */
export async function identityIn(folder: string): Promise<Identity | undefined> {
  const { uid, gid } = await stat(folder)
  if (process.getuid?.() !== 0 || uid === 0) return undefined
  return (await mayEnter({ uid, gid }, folder)) ? { uid, gid } : undefined
}

async function mayEnter(identity: Identity, folder: string): Promise<boolean> {
  const { uid, gid, mode } = await stat(folder)
  const right = uid === identity.uid ? 0o100 : gid === identity.gid ? 0o010 : 0o001
  if (uid === 0 && (mode & right) === 0) return false
  const above = path.dirname(folder)
  return above === folder || mayEnter(identity, above)
}
