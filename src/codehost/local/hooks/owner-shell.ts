import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { refusal } from '../refusal.ts'

interface ShellCall {
  /** Arguments `$1`, `$2` … of the script. */
  args?: readonly string[]
  input?: string
  /** Exit codes that are a result, not a failure. */
  accept?: readonly number[]
}

const mebibyte = 1024 * 1024

/**
 * Runs a shell script in a folder. Root uses the rights of the folder's owner, because the owner can put
 * a link anywhere below the folder at any moment: a path in the folder can lead to any file of the
 * machine. The script uses relative paths. Throws a refusal when the script fails.
 */
export async function asOwner(
  folder: string,
  script: string,
  { args = [], input = '', accept = [0] }: ShellCall = {},
): Promise<{ code: number; output: string }> {
  const isRoot = process.getuid?.() === 0
  const owner = isRoot ? await ownerOf(folder) : {}
  // The path may have led to another folder before.
  const checked = isRoot ? `[ -O . ] || exit 77\n${script}` : script
  return new Promise((resolve, reject) => {
    const child = execFile(
      'sh',
      ['-c', checked, 'sh', ...args],
      {
        cwd: folder,
        env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' },
        ...owner,
        maxBuffer: 2 * mebibyte,
        timeout: 30_000,
      },
      (error, output, complaint) => {
        const code = error ? error.code : 0
        if (typeof code === 'number' && accept.includes(code)) resolve({ code, output })
        else
          reject(refusal(`the hooks in ${folder} cannot be used: ${complaint || error?.message}`))
      },
    )
    // A script that ends without reading its input reports its own reason.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

async function ownerOf(folder: string): Promise<{ uid: number; gid: number }> {
  const { uid, gid } = await stat(folder)
  return { uid, gid }
}
