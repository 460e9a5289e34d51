import type { Endpoint } from '../../core/endpoint.ts'
import { exampleOf } from '../../openapi/example.ts'
import { hasBody, listedParameters } from '../../openapi/parameters.ts'
import type { JsonSchema } from '../../openapi/schema.ts'
import type { Action } from '../../v3/core/action.ts'
import { responsesOf } from '../../v3/openapi/responses.ts'
import { schemas } from '../../v3/openapi/schemas.ts'
import { Form } from '../parts/form.tsx'
import type { Frame } from '../parts/layout.tsx'
import { Refusal } from '../parts/notices.tsx'
import { Prose } from '../parts/prose.tsx'
import { wordsFor } from '../parts/schema-words.ts'
import { Table } from '../parts/table.tsx'
import { actionPath, resourcePath } from '../paths.ts'
import { ExplorerFrame } from './explorer-frame.tsx'
import { addressFields, parameterFields, type Typed } from './fields.ts'
import type { Tried, TriedCall } from './try-action.ts'

interface ActionPageProps {
  frame: Frame
  action: Action
  typed: Typed
  /** Null before a call was tried. */
  tried: Tried | null
}

/** One action: its addresses and parameters, a form to try it, and the expected responses. */
export function ActionPage({ frame, action, typed, tried }: ActionPageProps) {
  const { prefix } = frame
  const { resource, name, templates, endpoint } = action
  return (
    <ExplorerFrame
      frame={frame}
      title={name}
      above={{ text: resource, href: resourcePath(prefix, resource) }}
    >
      <h1>
        {resource}: {name}
      </h1>
      {endpoint.declared.summary !== undefined && (
        <p>
          <Prose text={endpoint.declared.summary} />
        </p>
      )}
      <ul>
        {templates.map((template) => (
          <li>
            <code>
              {endpoint.method} {template}
            </code>
          </li>
        ))}
      </ul>
      {endpoint.admission.login && <p>This action needs a login.</p>}
      <Parameters endpoint={endpoint} />
      <h2 id="try">Try it</h2>
      <TryForm frame={frame} action={action} typed={typed} />
      {tried && ('problem' in tried ? <Refusal>{tried.problem}</Refusal> : <Answer {...tried} />)}
      <Expected action={action} />
    </ExplorerFrame>
  )
}

interface TryFormProps {
  frame: Frame
  action: Action
  typed: Typed
}

/** The form is sent as a body, so that no URL contains a token; the token is not sent back either. */
function TryForm({ frame: { prefix, viewer }, action, typed }: TryFormProps) {
  const changes = action.endpoint.method !== 'GET'
  return (
    <Form
      viewer={viewer}
      keyed={changes}
      class="given"
      action={`${actionPath(prefix, action)}#try`}
    >
      <Fields
        legend="Address"
        kind="address"
        names={addressFields(action)}
        values={typed.address}
      />
      <Fields
        legend="Parameters"
        kind="parameter"
        names={parameterFields(action)}
        values={typed.parameters}
      />
      <fieldset>
        <legend>Caller</legend>
        <label>
          {viewer.user ? (
            <>
              Token; without one, you call as <bdi>{viewer.user.login}</bdi>
            </>
          ) : (
            'Token, if the call needs one'
          )}
          <input type="password" name="api_token" autocomplete="off" />
        </label>
      </fieldset>
      <button class="main">{changes ? 'Do it' : 'Get'}</button>
    </Form>
  )
}

interface FieldsProps {
  legend: string
  kind: 'address' | 'parameter'
  names: readonly string[]
  values: Readonly<Record<string, string>>
}

function Fields({ legend, kind, names, values }: FieldsProps) {
  if (names.length === 0) return null
  return (
    <fieldset>
      <legend>{legend}</legend>
      {names.map((name) => (
        <label>
          {name}
          <input
            name={`${kind}.${name}`}
            value={values[name] ?? ''}
            autocapitalize="off"
            autocomplete="off"
            spellcheck={false}
          />
        </label>
      ))}
    </fieldset>
  )
}

function Answer({ asked, sent, status, text, isCut }: TriedCall) {
  return (
    <section aria-labelledby="answer">
      <h2 id="answer">Response: {status}</h2>
      <pre class="yaml">
        {asked}
        {sent !== undefined && `\n\n${sent}`}
      </pre>
      {isCut && <p>Only the beginning is shown.</p>}
      <pre class="yaml">{text === '' ? 'The response is empty.' : text}</pre>
    </section>
  )
}

/** The responses according to the document. */
function Expected({ action: { endpoint } }: { action: Action }) {
  const responses = Object.entries(responsesOf(endpoint, endpoint.paths[0] ?? ''))
  const [, success] = responses.find(([status]) => status.startsWith('2')) ?? []
  const json: { schema: JsonSchema } | undefined = success?.content?.['application/json']
  return (
    <>
      <h2 id="answers">Responses</h2>
      <ul>
        {responses.map(([status, { description }]) => (
          <li>
            <code>{status}</code> {description}
          </li>
        ))}
      </ul>
      {json && (
        <>
          <p>Such as:</p>
          <pre class="yaml">{JSON.stringify(exampleOf(json.schema, schemas), null, 2)}</pre>
        </>
      )}
    </>
  )
}

/** The parameters of an endpoint; nothing if it has none. */
function Parameters({ endpoint }: { endpoint: Endpoint }) {
  const parameters = listedParameters(endpoint)
  if (parameters.length === 0) return null
  return (
    <>
      <h2 id="parameters">Parameters {hasBody(endpoint) ? 'of the body' : 'of the query'}</h2>
      <Table caption="Parameters" columns={['Parameter', 'Holds']}>
        {parameters.map(([name, { schema }]) => (
          <tr>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td class="many" data-name="Holds">
              <Prose text={schema.description ?? wordsFor(schema)} />
            </td>
          </tr>
        ))}
      </Table>
    </>
  )
}
