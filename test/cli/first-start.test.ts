import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { outcomeOf, program, scratchFolder, startCommand } from '../support/command.ts'
import { type Need, needs, rootUser } from '../support/needs.ts'

const folder = () => path.join(scratchFolder(), 'data')

/** Starts the service, and returns what it printed until it was up or ended, and its exit code. */
async function firstLines(dataDir: string): Promise<{ text: string; code: number | null }> {
  const env = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'info', LOG_FORMAT: 'json' }
  const service = startCommand(['start'], { env })
  let text = ''
  service.stderr?.on('data', (chunk: Buffer) => {
    text += String(chunk)
    if (!service.killed && text.includes('build-service serves at')) service.kill('SIGTERM')
  })
  const { code } = await outcomeOf(service)
  return { text, code }
}

test('a master key that other users could read is made private, and the log reports it', async () => {
  const dataDir = folder()
  mkdirSync(dataDir)
  const file = path.join(dataDir, 'master.key')
  writeFileSync(file, `${'ab'.repeat(32)}\n`)
  chmodSync(file, 0o644)
  const { text, code } = await firstLines(dataDir)
  expect(text).toContain('other users of this machine could read the master key')
  expect(code).toBe(0)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).toBe(`${'ab'.repeat(32)}\n`)
})

// Only root can change the owner of a file.
test('a readable master key of another user is refused', needs(rootUser), async () => {
  const dataDir = folder()
  mkdirSync(dataDir)
  const file = path.join(dataDir, 'master.key')
  writeFileSync(file, `${'ab'.repeat(32)}\n`)
  chmodSync(file, 0o640)
  spawnSync('chown', ['65534', file])
  expect(await firstLines(dataDir)).toEqual({
    text:
      `build-service: the master key in ${file} can be read by other users, and belongs to another ` +
      'one: give the file to the user that the service runs as (chown), with mode 600\n',
    code: 78,
  })
  expect(statSync(file).mode & 0o777).toBe(0o640)
})

const smallDisks: Need = {
  tests: 'of disks that are full',
  missing:
    rootUser.missing ??
    (spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0
      ? undefined
      : 'no small disk can be mounted'),
}

test.each(['4k', '42m'])(
  'a disk of %s is too small for the first start, which reports it in one sentence',
  needs(smallDisks),
  (size) => {
    const mounted = scratchFolder()
    onTestFinished(() => rmSync(mounted, { recursive: true, force: true }))
    const script = 'mount -t tmpfs -o size="$1" tmpfs "$2" && exec "$3" "$4" start'
    const ended = spawnSync(
      'unshare',
      ['-m', 'bash', '--norc', '-c', script, 'bash', size, mounted, process.execPath, program],
      { env: { PATH: process.env.PATH, DATA_DIR: mounted, PORT: '0' }, encoding: 'utf8' },
    )
    expect([ended.stderr, ended.status]).toEqual([
      `build-service: the disk of the folder ${mounted} is full: free some space there (a new ` +
        'installation needs about 100 MB), or set DATA_DIR to a folder on another disk, then start again\n',
      78,
    ])
  },
)
