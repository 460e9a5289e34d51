import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Engine } from '../../../src/runner/executors/docker/engine.ts'
import { importImage } from './images.ts'

/** A source of the image, as a line for apt. */
export const sourceline = 'deb [trusted=yes] file:/packages ./'

/**
 * Makes an image with the machine's own apt, and a source in its folder /packages: packages by their names, each
 * with one program of its own.
 */
export async function importApt(
  engine: Engine,
  name: string,
  packages: Readonly<Record<string, { program: string; text: string }>>,
): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'packages-'))
  try {
    const built = Object.entries(packages).map(([each, { program, text }]) => {
      const root = path.join(folder, each)
      const file = path.join(folder, `${each}.deb`)
      const control = `Package: ${each}\nVersion: 1\nArchitecture: all\nMaintainer: Tests <t@example.org>\nDescription: for tests\n`
      mkdirSync(path.join(root, 'DEBIAN'), { recursive: true })
      writeFileSync(path.join(root, 'DEBIAN/control'), control)
      mkdirSync(path.join(root, 'usr/bin'), { recursive: true })
      writeFileSync(path.join(root, 'usr/bin', program), text, { mode: 0o755 })
      execFileSync('dpkg-deb', ['--build', '--root-owner-group', root, file], { stdio: 'pipe' })
      const bytes = readFileSync(file)
      const sum = createHash('sha256').update(bytes).digest('hex')
      const entry = `${control}Filename: ./${each}.deb\nSize: ${bytes.length}\nSHA256: ${sum}\n`
      return { file, entry }
    })
    const debs = built.map(({ file }) => [`/packages/${path.basename(file)}`, file])
    // Their libraries come with the copies, not with the folder.
    const methods = ['file', 'copy', 'store', 'gpgv'].map((each) => `/usr/lib/apt/methods/${each}`)
    await importImage(engine, name, {
      programs: [
        ...['apt-get', 'apt-config', 'dpkg', 'dpkg-deb', 'dpkg-split', 'gpgv', 'ldconfig'],
        ...['start-stop-daemon', 'find', 'diff', 'cmp'],
      ],
      folders: ['/usr/lib/apt', '/usr/share/dpkg'],
      copies: Object.fromEntries([...debs, ...methods.map((file) => [file, file])]),
      scripts: {
        'packages/Packages': built.map(({ entry }) => entry).join('\n'),
        'usr/bin/ssh-keyscan': '#!/bin/bash\necho "${@: -1} ssh-ed25519 KEY at $4"\n',
        ...Object.fromEntries(emptyFiles.map((file) => [file, ''])),
      },
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const emptyFiles = [
  ...['var/lib/apt/lists/partial/.keep', 'var/cache/apt/archives/partial/.keep'],
  ...['var/lib/dpkg/status', 'var/lib/dpkg/info/.keep', 'var/lib/dpkg/updates/.keep'],
  ...['var/lib/dpkg/triggers/.keep', 'var/log/apt/.keep', 'etc/apt/sources.list'],
  ...['etc/apt/sources.list.d/.keep', 'etc/apt/trusted.gpg.d/.keep', 'etc/apt/apt.conf.d/.keep'],
  ...['etc/apt/preferences.d/.keep', 'etc/dpkg/dpkg.cfg.d/.keep'],
]
