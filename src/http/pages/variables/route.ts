import { repositoryRights } from '../../../access/repository-rights.ts'
import { type EnvVar, mostValueBytes, variableName } from '../../../domain/env-var.ts'
import type { Repository, Seen } from '../../../domain/repository.ts'
import { isStorable } from '../../../domain/text/storable-text.ts'
import { addEnvVar, removeEnvVar } from '../../../flow/secrets/env-vars.ts'
import { sealedIn } from '../../../secrets/sealed-records.ts'
import { envVarsOf, findEnvVar } from '../../../store/secrets/env-vars.ts'
import { type Call, get, givenIn, post } from '../../core/endpoint.ts'
import { actorOf } from '../../identity/actor.ts'
import { asPage } from '../as-page.tsx'
import { redirectWith, submit } from '../notice.ts'
import { oneRepository } from '../one-repository.ts'
import { variablesPath } from '../paths.ts'
import { DeleteVariablePage, type VariableForm, VariablesPage } from './page.tsx'

const show = asPage(VariablesPage)
const empty: VariableForm = { name: '', branch: '', isPublic: false }
const none: ReadonlyMap<string, string> = new Map()

const ofRepository = {
  ...oneRepository,
  login: true,
  scope: 'settings',
  right: 'create_env_var',
} as const

interface InRepository {
  repository: Seen<Repository>
  variable: EnvVar
}

const oneVariable = {
  type: 'env_var',
  async find(call: Call): Promise<InRepository | undefined> {
    const repository = await oneRepository.find(call)
    const variable = repository && (await findEnvVar(call.ctx.db, call.params.variable ?? ''))
    if (!repository || variable?.repository_id !== repository.id) return undefined
    return { repository, variable }
  },
  rights: (viewer: Call['viewer'], { repository }: InRepository) =>
    repositoryRights(viewer, repository),
  login: true,
  scope: 'settings',
  right: 'create_env_var',
} as const

export const variablePages = [
  get('/:owner/:name/variables', {
    ...ofRepository,
    act: (call, repository) => shown(call, repository, empty),
    present: (read, call) => show(read, call),
  }),

  post('/:owner/:name/variables', {
    ...ofRepository,
    async act(call, repository) {
      const { form, value, problems } = formIn(call)
      if (problems.size > 0) {
        return show({ ...(await shown(call, repository, form)), problems }, call, 422)
      }
      const { name, branch, isPublic } = form
      const added = { repository_id: repository.id, name, value, public: isPublic }
      const variable = { ...added, branch: branch === '' ? null : branch }
      return submit(call, () => addEnvVar(call.ctx, actorOf(call), variable, { distinct: true }), {
        path: variablesPath(call.ctx.site.prefix, repository),
        notice: 'variable_added',
        refused: async (problem) =>
          show({ ...(await shown(call, repository, form)), problem }, call, 422),
      })
    },
    present: (answer) => answer,
  }),

  get('/:owner/:name/variables/:variable/delete', {
    ...oneVariable,
    present: asPage(DeleteVariablePage),
  }),

  post('/:owner/:name/variables/:variable/delete', {
    ...oneVariable,
    async act(call, { repository, variable }) {
      await removeEnvVar(call.ctx, actorOf(call), variable)
      const { site } = call.ctx
      return redirectWith(site, variablesPath(site.prefix, repository), 'variable_deleted')
    },
    present: (answer) => answer,
  }),
]

async function shown({ ctx }: Call, repository: Repository, form: VariableForm) {
  const found = await envVarsOf(ctx.db, repository.id)
  const variables = found.map(({ sealed_value, ...variable }) => ({
    ...variable,
    value: variable.public ? ctx.sealer.openText(sealedIn.envVar(variable.id), sealed_value) : null,
  }))
  return { repository, variables, form, problems: none }
}

function formIn(call: Call) {
  const given = givenIn(call)
  const text = (name: string) => {
    const value = given[name]
    return typeof value === 'string' ? value : ''
  }
  const form = {
    name: text('name').trim(),
    branch: text('branch').trim(),
    isPublic: text('public') === 'true',
  }
  // Browsers send every line break of a form as CRLF.
  const value = text('value').replaceAll(/\r\n?/g, '\n')
  const problems = new Map<string, string>()
  if (!variableName.test(form.name)) {
    problems.set('name', 'use letters, digits and _, and begin with no digit')
  }
  if (Buffer.byteLength(value) > mostValueBytes || !isStorable(value)) {
    problems.set('value', `enter at most ${mostValueBytes} bytes of text`)
  }
  if (!isStorable(form.branch) || form.branch.length > 1000) {
    problems.set('branch', 'this is not the name of a branch')
  }
  if (problems.size > 0) problems.set('value', problems.get('value') ?? 'enter the value again')
  return { form, value, problems }
}
