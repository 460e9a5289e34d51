import { execFileSync, spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  cpSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { archiveOf } from '../../../src/runner/executors/docker/archive.ts'
import type { Engine } from '../../../src/runner/executors/docker/engine.ts'

/** Programs of the machine that an image for tests has, as the usual images of a language do. */
const programs = [
  ...[
    'bash',
    'cat',
    'chmod',
    'chown',
    'cp',
    'cut',
    'date',
    'dirname',
    'echo',
    'env',
    'expr',
    'git',
    'grep',
    'head',
    'id',
    'ln',
  ],
  ...[
    'ls',
    'mkdir',
    'mkfifo',
    'mktemp',
    'mv',
    'nproc',
    'perl',
    'ps',
    'readlink',
    'rm',
    'sed',
    'seq',
    'setsid',
    'sh',
    'sleep',
  ],
  ...[
    'setpriv',
    'sort',
    'ssh',
    'stat',
    'stty',
    'tail',
    'tar',
    'tee',
    'test',
    'timeout',
    'touch',
    'tr',
    'true',
    'uname',
    'wc',
    'which',
  ],
]

export interface ImageFiles {
  /** Further programs of the machine, by name or path. */
  programs?: readonly string[]
  /** Texts of executable files, by their paths in the image. */
  scripts?: Readonly<Record<string, string>>
  /** Files of the machine, by their paths in the image. */
  copies?: Readonly<Record<string, string>>
  /** Folders of the machine, for the same places. */
  folders?: readonly string[]
  /** Further lines of /etc/passwd. */
  accounts?: readonly string[]
  /** Instructions for the import, such as `ENV PATH=…`. */
  changes?: readonly string[]
}

/** Makes an image from the machine's own files, so that tests need no registry. */
export async function importImage(
  engine: Engine,
  name: string,
  files: ImageFiles = {},
): Promise<void> {
  const root = mkdtempSync(path.join(tmpdir(), 'image-'))
  try {
    fill(root, files)
    const tar = spawn('tar', ['-C', root, '-c', '--numeric-owner', '--owner=0', '--group=0', '.'])
    const [repo = name, tag = 'latest'] = name.split(/:(?=[^/:]*$)/)
    const stream = await engine.importImage(tar.stdout, {
      repo,
      tag,
      changes: files.changes ?? [],
    } as object)
    for await (const line of stream as AsyncIterable<Uint8Array>) {
      const text = Buffer.from(line).toString()
      if (text.includes('error')) throw new Error(text)
    }
  } finally {
    rmSync(root, { recursive: true })
  }
}

function fill(
  root: string,
  { programs: others = [], scripts = {}, copies = {}, folders = [], accounts = [] }: ImageFiles,
): void {
  for (const folder of [
    'usr/bin',
    'usr/lib',
    'usr/lib64',
    'etc',
    'tmp',
    'root',
    'home',
    'proc',
    'sys',
    'dev',
    'run',
    'var/tmp',
  ]) {
    mkdirSync(path.join(root, folder), { recursive: true })
  }
  execFileSync('chmod', ['1777', path.join(root, 'tmp'), path.join(root, 'var/tmp')])
  for (const link of ['bin', 'lib', 'lib64', 'sbin'])
    symlinkSync(link === 'sbin' ? 'usr/bin' : `usr/${link}`, path.join(root, link))
  writeFileSync(
    path.join(root, 'etc/passwd'),
    ['root:x:0:0:root:/root:/bin/bash', 'nobody:x:65534:65534::/:/bin/false', ...accounts, ''].join(
      '\n',
    ),
  )
  writeFileSync(path.join(root, 'etc/group'), 'root:x:0:\nnogroup:x:65534:\n')
  cpSync('/etc/os-release', path.join(root, 'etc/os-release'), { dereference: true })
  const found = [...programs, ...others].map((each) => (each.startsWith('/') ? each : find(each)))
  for (const file of found) add(root, file, path.join('usr/bin', path.basename(file)))
  addFolder(root, '/usr/lib/git-core')
  addFolder(root, '/usr/share/git-core/templates')
  for (const folder of [...perlFolders(), ...folders]) addFolder(root, folder)
  // Without it, C.UTF-8 is no locale of the image.
  if (existsSync('/usr/lib/locale/C.utf8')) addFolder(root, '/usr/lib/locale/C.utf8')
  for (const [to, text] of Object.entries(scripts)) {
    mkdirSync(path.join(root, path.dirname(to)), { recursive: true })
    writeFileSync(path.join(root, to), text, { mode: 0o755 })
  }
  for (const [to, from] of Object.entries(copies)) add(root, from, to.replace(/^\//, ''))
}

function find(program: string): string {
  return execFileSync('which', [program], { encoding: 'utf8' }).trim()
}

function perlFolders(): string[] {
  const said = execFileSync(
    'perl',
    ['-e', 'print join "\\n", grep { -e "$_/Socket.pm" or -e "$_/strict.pm" } @INC'],
    { encoding: 'utf8' },
  )
  return said.split('\n').filter(Boolean)
}

/** Copies a file, and the libraries that it is linked with, to their places below the root. */
function add(root: string, file: string, to: string): void {
  const target = path.join(root, to)
  mkdirSync(path.dirname(target), { recursive: true })
  copyFileSync(realpathSync(file), target)
  for (const library of librariesOf(file)) {
    const place = path.join(root, library.startsWith('/lib') ? `usr${library}` : library)
    if (existsSync(place)) continue
    mkdirSync(path.dirname(place), { recursive: true })
    copyFileSync(realpathSync(library), place)
  }
}

function librariesOf(file: string): string[] {
  try {
    const said = execFileSync('ldd', [file], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return [...said.matchAll(/(\/\S+) \(0x/g)].map(([, library = '']) => library)
  } catch {
    return []
  }
}

function addFolder(root: string, folder: string): void {
  mkdirSync(path.join(root, path.dirname(folder)), { recursive: true })
  execFileSync('cp', ['-a', folder, path.join(root, path.dirname(folder))])
  for (const each of ['git-remote-http', 'git-remote-https']) {
    const file = path.join(folder, each)
    if (existsSync(file)) add(root, file, file.slice(1))
  }
}

/** Makes an image with further executable files, by their paths, from the image `tests:base`. */
export async function addToImage(
  engine: Engine,
  name: string,
  scripts: Readonly<Record<string, string>>,
  changes: readonly string[] = [],
): Promise<void> {
  const [repo, tag] = name.split(':')
  const files = Object.entries(scripts).map(([file, text]) => ({ name: file, text }))
  const container = await engine.createContainer({ Image: 'tests:base', Cmd: ['true'] })
  const bytes = await archiveOf(files.map((file) => ({ ...file, mode: 0o755, uid: 0, gid: 0 })))
  await container.putArchive(bytes, { path: '/' })
  // The engine refuses an empty list.
  const given = { repo, tag }
  await container.commit(changes.length === 0 ? given : { ...given, changes: changes.join('\n') })
  await container.remove()
}
