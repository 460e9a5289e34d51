import { visible } from '../../domain/visible.ts'

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'you lack the permission',
  EPERM: 'you lack the permission',
  EISDIR: 'it is a folder',
  EROFS: 'its disk is read-only',
  ENOSPC: 'the disk is full',
}

/** Why something cannot be done with a file, to follow a colon. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code = '' }: NodeJS.ErrnoException = error
  return reasons[code] ?? visible(error.message)
}
