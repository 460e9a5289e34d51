import type { Readable } from 'node:stream'
import type { Container } from 'dockerode'
import { inColour } from '../../../domain/log/log-colours.ts'
import { clearLine, foldMarker } from '../../../domain/log/log-markers.ts'
import type { Exit, JobImage } from '../../executor.ts'
import type { Output } from '../output.ts'
import { fileIn } from './archive.ts'
import { statusOf } from './engine.ts'
import { ImageError, type Images } from './images.ts'
import { home } from './launch.ts'

interface Place {
  /** The container of the step `clone`, which has ended. */
  cloned: Container
  images: Images
  labels: Record<string, string>
  output: Pick<Output, 'write'>
  signal: AbortSignal
}

/**
 * Chooses and fetches the image of a job, and names it in the log; or returns how the job ends
 * without an image.
 */
export async function findImage(
  wanted: JobImage,
  { cloned, images, labels, output, signal }: Place,
): Promise<{ id: string; name: string } | { exit: Exit }> {
  const say = (line: string) => output.write(`${line}\r\n`)
  const chosen = wanted.choose(await readFiles(cloned, wanted, signal))
  if ('lacks' in chosen) return errored(chosen.lacks)
  const { image, pull, note } = chosen
  await output.write(foldMarker('start', 'image') + clearLine)
  await say(`Image: ${image}`)
  try {
    const id = await images.have(image, pull, { signal, say: (line) => void say(line) })
    await say(`Id: ${id}`)
    const hasShell = await images.hasProgram(id, 'bash', labels)
    await output.write(foldMarker('end', 'image') + clearLine)
    if (!hasShell) return await errored(withoutShell(image))
    if (note !== undefined) await say(inColour('yellow', note))
    return { id, name: image }
  } catch (error) {
    await output.write(foldMarker('end', 'image') + clearLine)
    if (!(error instanceof ImageError)) throw error
    if (error.blame === 'machine') return { exit: { kind: 'lost', why: error.message } }
    return errored(error.message)
  }

  async function errored(text: string): Promise<{ exit: Exit }> {
    await say(inColour('red', sentence(text)))
    return { exit: { kind: 'exited', code: 2 } }
  }
}

const withoutShell = (image: string) =>
  `the image ${image} has no bash, which runs the commands of build files: have an administrator name another one in the setting IMAGES`

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`
}

/** Version files have only a few lines; a longer file is ignored. */
const longestFile = 64 * 1024

async function readFiles(
  cloned: Container,
  { files, checkout }: JobImage,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const file of files) {
    const text = await readFile(cloned, `${home}/${checkout}/${file}`, signal)
    if (text !== undefined) found.set(file, text)
  }
  return found
}

async function readFile(
  container: Container,
  file: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return await fileIn(
      (await container.getArchive({ path: file, abortSignal: signal })) as Readable,
      longestFile,
    )
  } catch (error) {
    if (statusOf(error) === 404) return undefined
    throw error
  }
}
