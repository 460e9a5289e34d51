import { requestRights } from '../../../access/build-rights.ts'
import type { RepositoryRecord } from '../../../access/visibility.ts'
import type { RawConfig } from '../../../store/raw-configs.ts'
import { orNull, text } from '../../openapi/schema.ts'
import { each, resourceOf } from '../resource.ts'

/** With what says who can see its request. */
type RawConfigModel = RawConfig & RepositoryRecord

declare module '../resource.ts' {
  interface Models {
    request_raw_configuration: RawConfigModel
  }
}

const attributes = ['config', 'source', 'merge_mode'] as const

/** A text that a request's configuration consists of, as the user wrote it. It has no path of its own. */
export const requestRawConfiguration = resourceOf<RawConfigModel>()({
  type: 'request_raw_configuration',
  rights: requestRights,
  permissions: ['read', 'write'],
  representations: { minimal: attributes, standard: attributes },
  values: { config: each(({ text }) => text) },
  types: { config: text, merge_mode: orNull(text) },
})
