import { visible } from '../../domain/text/escape-control-characters.ts'

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'it is a folder',
  EROFS: 'its disk is read-only',
  ENOSPC: 'the disk is full',
}

/** Why an operation on a file failed, for use after a colon. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code = '' }: NodeJS.ErrnoException = error
  return reasons[code] ?? visible(error.message)
}
