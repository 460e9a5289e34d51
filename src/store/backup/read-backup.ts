import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { SetupError } from '../../domain/errors.ts'
import { type BackupFooter, type BackupHeader, checksum, format, title } from './format.ts'
import { Cut, sectionsOf } from './sections.ts'

export interface OpenBackup {
  header: BackupHeader
  /** The rows of the next table of the header. */
  rows(): AsyncGenerator<Buffer>
  /** Reads the end, after the rows of all tables. Throws unless the file is whole and unchanged. */
  footer(): Promise<BackupFooter>
  close(): void
}

/** Opens a backup. Errors in the file become a SetupError, here and while it is read. */
export async function openBackup(file: string, signal: AbortSignal): Promise<OpenBackup> {
  const chunks = createGunzip()
  pipeline(createReadStream(file, { signal }), chunks, () => {})
  const sections = sectionsOf(chunks)
  const explained = <T>(work: () => Promise<T>) =>
    work().catch((error: unknown) => {
      throw explain(error, file)
    })
  try {
    const header = await explained(() => readHeader(sections, file))
    return {
      header,
      async *rows() {
        try {
          yield* sections.rows()
        } catch (error) {
          throw explain(error, file)
        }
      },
      footer: () => explained(() => readFooter(sections)),
      close: () => chunks.destroy(),
    }
  } catch (error) {
    chunks.destroy()
    throw error
  }
}

/** Reads a backup to its end, and returns its header if the whole file is unchanged. */
export async function verifyBackup(file: string, signal: AbortSignal): Promise<BackupHeader> {
  const { header, rows, footer, close } = await openBackup(file, signal)
  try {
    for (const _ of header.tables) for await (const _ of rows()) continue
    await footer()
    return header
  } finally {
    close()
  }
}

type Sections = ReturnType<typeof sectionsOf>

async function readHeader(sections: Sections, file: string): Promise<BackupHeader> {
  const first = await sections.line()
  if (first?.startsWith(title) !== true) throw new NoBackup()
  if (first !== `${title}${format}`) {
    throw new SetupError(
      `the file ${file} is a backup in the form ${first.slice(title.length)}, and this version reads ` +
        `form ${format} only: restore it with the version that made it, or a later one`,
    )
  }
  return JSON.parse(await lineOf(sections)) as BackupHeader
}

async function readFooter(sections: Sections): Promise<BackupFooter> {
  const line = await lineOf(sections)
  const digest = sections.digest()
  const isSame = (await lineOf(sections)) === `${checksum}${digest}`
  if (!isSame || !(await sections.isOver())) throw new Changed()
  return JSON.parse(line) as BackupFooter
}

async function lineOf(sections: Sections): Promise<string> {
  const line = await sections.line()
  if (line === undefined) throw new Cut()
  return line
}

class NoBackup extends Error {}
class Changed extends Error {}

function explain(error: unknown, file: string): unknown {
  const text = textOf(error)
  return text === undefined ? error : new SetupError(`the file ${file} ${text}`, { cause: error })
}

const notOne =
  'is not a backup of build-service: name a file that `build-service backup` has written'

function textOf(error: unknown): string | undefined {
  const { code, message, syscall } = error as NodeJS.ErrnoException
  if (error instanceof NoBackup || message === 'incorrect header check') return notOne
  if (error instanceof Cut || code === 'Z_BUF_ERROR') {
    return 'is cut off, its end is missing: copy it again from where it was made, or restore another backup'
  }
  if (error instanceof Changed || error instanceof SyntaxError || code?.startsWith('Z_')) {
    return 'was changed or damaged after it was written: copy it again from where it was made, or restore another backup'
  }
  if (syscall !== undefined)
    return `cannot be read (${code}): name a backup that this user can read`
  return undefined
}
