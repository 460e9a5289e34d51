import type { JobConfig } from '../../../src/domain/job/job.ts'
import { type ChosenImage, imageRequest } from '../../../src/script/images/choose-image.ts'
import { defaultImageMap, readImageMap } from '../../../src/script/images/image-map.ts'

interface Circumstances {
  files?: Readonly<Record<string, string>>
  assumed?: readonly string[]
  /** The setting IMAGES. */
  images?: string
  slug?: string
}

function request(config: JobConfig, { assumed = [], images, slug }: Circumstances) {
  const map = images === undefined ? defaultImageMap : readImageMap(images)
  return imageRequest(config, { slug: slug ?? 'acme/site', assumed, map })
}

/** The files that the image of a job depends on. */
export function filesFor(config: JobConfig, circumstances: Circumstances = {}): readonly string[] {
  return request(config, circumstances).files
}

/** The image of a job, or the message about a missing one. Reads only files that were requested. */
export function choose(config: JobConfig, circumstances: Circumstances = {}): ChosenImage {
  const { files, choose } = request(config, circumstances)
  const texts = Object.entries(circumstances.files ?? {}).filter(([name]) => files.includes(name))
  return choose(new Map(texts))
}

/** The name of a job's image, or `none`. */
export function imageOf(config: JobConfig, circumstances?: Circumstances): string {
  const chosen = choose(config, circumstances)
  return 'image' in chosen ? chosen.image : 'none'
}
