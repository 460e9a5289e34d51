import { repositoryRights } from '../../../access/repository-rights.ts'
import { mergeModes } from '../../../buildfile/imports/mode.ts'
import { presentRequestConfig, presentJobConfig } from '../../../domain/config/shown-config.ts'
import { ServiceError } from '../../../domain/errors.ts'
import type { Repository, Seen } from '../../../domain/repository.ts'
import { isApiSource } from '../../../domain/request/request.ts'
import type { Preview } from '../../../flow/build-file/preview-work.ts'
import { previewBuild } from '../../../flow/requests/preview-build.ts'
import { previews } from '../../identity/rate-limits.ts'
import { atExpenseOf } from '../../lint/read-for.ts'
import { described, ofType } from '../../parameters/parameter.ts'
import {
  conditionValues,
  configText,
  configTexts,
  keptText,
  mergeMode,
} from '../../parameters/request-fields.ts'
import { actionsOf, post } from '../core/action.ts'
import { as } from '../core/presented.ts'
import { each, resourceOf } from '../core/resource.ts'
import { oneRepository, repositoryTemplates } from '../records/one-repository.ts'

interface PreviewModel {
  repository: Seen<Repository>
  preview: Preview
}

declare module '../core/resource.ts' {
  interface Models {
    request_preview: PreviewModel
  }
}

const attributes = [
  'raw_configs',
  'request_config',
  'job_configs',
  'dropped_jobs',
  'messages',
  'full_messages',
] as const

/** The parts of a preview are visible to everyone who can see the repository. */
const guardOf = (shown: PreviewModel) => ({
  private: shown.repository.private,
  repository: shown.repository,
})

/** A preview of what a request would build, and why. It is not stored, and has no path. */
export const requestPreview = resourceOf<PreviewModel>()({
  type: 'request_preview',
  rights(viewer, { repository }) {
    const { read, write } = repositoryRights(viewer, repository)
    return { read, write }
  },
  permissions: ['read', 'write'],
  representations: { minimal: attributes, standard: attributes },
  values: {
    request_config: each(({ preview }) => ({
      '@type': 'request_config',
      config: presentRequestConfig(preview.config),
    })),
    job_configs: each(({ preview }) =>
      preview.jobs.map(({ config, ...job }) => ({
        '@type': 'job_config',
        config: presentJobConfig(config, false),
        ...job,
      })),
    ),
    dropped_jobs: each(({ preview }) =>
      preview.dropped.map(({ name, stage, origin, why }) => ({ name, stage, origin, why })),
    ),
    full_messages: each(({ preview }) =>
      preview.messages.map(({ level, src, line, text }) =>
        line === null ? `[${level}] ${src}: ${text}` : `[${level}] ${src}:${line}: ${text}`,
      ),
    ),
  },
  links: {
    raw_configs: {
      to: 'request_raw_configuration',
      read: each((model) => model.preview.raw.map((config) => ({ ...config, ...guardOf(model) }))),
    },
    messages: {
      to: 'message',
      read: each((model) =>
        model.preview.messages.map((message) => ({ ...message, id: null, ...guardOf(model) })),
      ),
    },
  },
})

const templates = repositoryTemplates('/request/preview')

/** Any word that is not an id means a preview; the home document lists only `preview`. */
const otherWords = repositoryTemplates('/request/{preview.word}')

const create = post([...templates, ...otherWords], {
  ...oneRepository,
  login: true,
  scope: 'builds',
  rate: previews,
  right: 'create_request',
  docs: {
    summary:
      'the jobs that a request would create; nothing is stored; 60 calls in 10 minutes; needs the right to push',
    fails: ['client_error', 'too_costly'],
  },
  accepts: ofType('request_preview', {
    ref: described('a branch, tag or commit; the default branch by default', keptText(1000)),
    config: described(
      'a configuration, as an object or a text, to be merged with the build file',
      configText(),
    ),
    mode: described(
      `how \`config\` is merged with the build file: ${mergeModes.join(', ')}`,
      mergeMode(),
    ),
    configs: configTexts(),
    data: conditionValues(),
  }),
  async act(call, repository, values): Promise<PreviewModel> {
    const config = values['request_preview.config']
    const mode = values['request_preview.mode'] ?? null
    const { user } = call.viewer
    const wanted = {
      sender_id: user?.id ?? null,
      ref: values['request_preview.ref'],
      configs: [
        ...(config === undefined ? [] : [{ config, mode }]),
        ...(values['request_preview.configs'] ?? []),
      ],
      data: { sender: user?.login ?? null, ...values['request_preview.data'] },
    }
    const preview = await atExpenseOf(call, (turn) =>
      previewBuild(call.ctx, repository.id, wanted, turn),
    )
    const { unreadable } = preview
    if (unreadable && isApiSource(unreadable.src)) {
      throw new ServiceError('client_error', unreadable.text)
    }
    return { repository, preview }
  },
  present: as('standard', requestPreview),
})

export const requestPreviewActions = actionsOf(requestPreview, { create: { ...create, templates } })
