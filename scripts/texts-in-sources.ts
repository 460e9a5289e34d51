// What sources say: their texts for people, their comments, the titles of tests. TypeScript 7 has no
// API for syntax trees, so the parser is the one that vite brings (docs/decisions/013).
import { type ESTree, parseSync } from 'vite'

/** A text and its place. Lines count from 1. */
export interface Found {
  file: string
  line: number
  /** The declaration at the top level of the file that holds the text; empty for a statement. */
  name: string
  text: string
}

/**
 * The texts of a source that people can read, in their order. Values are shown as `{name}`, pieces
 * that are put together as one text. Texts for machines are left out: SQL, programs, patterns, markup.
 */
export function textsIn(file: string, source: string): Found[] {
  const { program } = parseSync(file, source)
  const found: Found[] = []
  for (const statement of program.body) {
    const name = nameOf(statement)
    const keep = (node: ESTree.Node, text: string) => {
      if (!isForPeople(text)) return
      found.push({ file, line: lineAt(source, node.start), name, text: text.trim() })
    }
    visit(statement, [], keep)
  }
  return found
}

/** The comments of a source, without their marks; lines that follow each other are one comment. */
export function commentsIn(file: string, source: string): Found[] {
  const found: (Found & { end: number })[] = []
  for (const { type, value, start, end } of parseSync(file, source).comments) {
    const text = value.replaceAll(/^[ \t]*\*+[ \t]?/gm, '').trim()
    const before = found.at(-1)
    if (type === 'Line' && before && /^\n[ \t]*$/.test(source.slice(before.end, start))) {
      Object.assign(before, { text: `${before.text}\n${text}`, end })
    } else {
      found.push({ file, line: lineAt(source, start), name: '', text, end })
    }
  }
  return found.map(({ end: _end, ...comment }) => comment)
}

/** The titles of the tests and groups in a source. */
export function titlesIn(file: string, source: string): Found[] {
  const found: Found[] = []
  const look = (node: ESTree.Node) => {
    if (node.type === 'CallExpression' && isTest(node.callee)) {
      const [title] = node.arguments
      const text = title && textOf(title)
      if (text) found.push({ file, line: lineAt(source, node.start), name: '', text })
    }
    for (const child of childrenOf(node)) look(child)
  }
  look(parseSync(file, source).program)
  return found
}

/** `test(…)`, `describe.each(…)(…)` and the like. */
function isTest(callee: ESTree.Node): boolean {
  if (callee.type === 'Identifier') return ['test', 'it', 'describe'].includes(callee.name)
  if (callee.type === 'CallExpression') return isTest(callee.callee)
  if (callee.type === 'TaggedTemplateExpression') return isTest(callee.tag)
  return callee.type === 'MemberExpression' && isTest(callee.object)
}

const lineAt = (source: string, at: number) => source.slice(0, at).split('\n').length

function nameOf(statement: ESTree.Node): string {
  switch (statement.type) {
    case 'ExportNamedDeclaration':
      return statement.declaration ? nameOf(statement.declaration) : ''
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return statement.id?.name ?? ''
    case 'VariableDeclaration': {
      const [first] = statement.declarations
      return first?.id.type === 'Identifier' ? first.id.name : ''
    }
    default:
      return ''
  }
}

/** Calls `keep` with every text in a piece of syntax; `path` leads to it, the nearest last. */
function visit(
  node: ESTree.Node,
  path: readonly ESTree.Node[],
  keep: (node: ESTree.Node, text: string) => void,
): void {
  if (isForMachines(node, path)) return
  const inside = [...path, node]
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
    const isSentence = node.children.some(
      ({ type, ...rest }) => type === 'JSXText' && hasWord(rest),
    )
    if (isSentence) keep(node, flatText(node))
    // Children of a sentence are a part of it; what their values and attributes say is not.
    for (const child of childrenOf(node)) {
      if (isSentence) visitBelowSentence(child, inside, keep)
      else visit(child, inside, keep)
    }
    return
  }
  const text = textOf(node)
  if (text !== undefined) {
    keep(node, text)
    for (const value of valuesIn(node)) visit(value, inside, keep)
    return
  }
  for (const child of childrenOf(node)) visit(child, inside, keep)
}

function visitBelowSentence(
  node: ESTree.Node,
  path: readonly ESTree.Node[],
  keep: (node: ESTree.Node, text: string) => void,
): void {
  if (node.type === 'JSXText') return
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
    for (const child of childrenOf(node)) visitBelowSentence(child, [...path, node], keep)
  } else {
    visit(node, path, keep)
  }
}

const hasWord = (node: object) => 'value' in node && /[a-z]/i.test(String(node.value))

/** The whole text of an element, with the texts of what it holds. */
function flatText(node: ESTree.JSXElement | ESTree.JSXFragment): string {
  const parts = node.children.map((child) => {
    if (child.type === 'JSXText') return child.value.replaceAll(/\s*\n\s*/g, '\n')
    if (child.type === 'JSXElement' || child.type === 'JSXFragment') return flatText(child)
    if (child.type !== 'JSXExpressionContainer') return ''
    return child.expression.type === 'JSXEmptyExpression' ? '' : valueText(child.expression)
  })
  return parts.join('').trim().replaceAll(/\n+/g, ' ')
}

/** The text that a literal, a template or a sum of them stands for; undefined for other syntax. */
function textOf(node: ESTree.Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node.type === 'TemplateLiteral') {
    return node.quasis
      .map((piece, at) => {
        const value = node.expressions[at]
        return `${piece.value.cooked ?? piece.value.raw}${value ? valueText(value) : ''}`
      })
      .join('')
  }
  if (node.type === 'ParenthesizedExpression') return textOf(node.expression)
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    const [left, right] = [textOf(node.left), textOf(node.right)]
    if (left === undefined && right === undefined) return undefined
    return `${left ?? valueText(node.left)}${right ?? valueText(node.right)}`
  }
  return undefined
}

/** What stands in a text for a value: its name, or `…`. */
function valueText(node: ESTree.Node): string {
  if (node.type === 'Identifier') return `{${node.name}}`
  if (node.type === 'Literal') return String(node.value)
  if (node.type === 'MemberExpression' && node.property.type === 'Identifier') {
    return `{${node.property.name}}`
  }
  if (node.type === 'CallExpression') {
    const [first] = node.arguments
    if (first && node.arguments.length === 1 && first.type !== 'Literal') return valueText(first)
    if (node.callee.type === 'MemberExpression') return valueText(node.callee.object)
  }
  return '…'
}

/** The values within a text, which can say something themselves. */
function valuesIn(node: ESTree.Node): ESTree.Node[] {
  if (node.type === 'TemplateLiteral') return node.expressions
  if (node.type === 'ParenthesizedExpression') return valuesIn(node.expression)
  if (node.type !== 'BinaryExpression') return []
  return [node.left, node.right].flatMap((side) =>
    textOf(side) === undefined ? [side] : valuesIn(side),
  )
}

function childrenOf(node: ESTree.Node): ESTree.Node[] {
  return Object.values(node).flatMap((value: unknown) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  )
}

function isNode(value: unknown): value is ESTree.Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** Attributes whose values are read aloud or shown. */
const shownAttributes = /^(?:title|alt|label|hint|placeholder|aria-label|text|name|summary|empty)$/

/** Functions whose arguments are compared, cut, executed or used as names. */
const callsOfMachines =
  /^(?:includes|startsWith|endsWith|indexOf|split|join|replace|replaceAll|match|matchAll|test|exec|query|where|whereRef|select|selectAll|orderBy|groupBy|on|onRef|as|ref|raw|returning|leftJoin|innerJoin|prepared|versionOf|derive|header|setHeader|RegExp|Symbol|RE2JS|compile|quote|eb|fn|execFile|exec|spawn|createHmac|createHash)$/

function isForMachines(node: ESTree.Node, path: readonly ESTree.Node[]): boolean {
  const parent = path.at(-1)
  if (node.type === 'TaggedTemplateExpression') return true
  if (/^(?:Import|Export(?:All|Default))/.test(node.type) && node.type !== 'ImportExpression')
    return true
  if (/^TS(?!AsExpression|SatisfiesExpression|NonNullExpression)/.test(node.type)) return true
  if (node.type === 'JSXAttribute') {
    return node.name.type !== 'JSXIdentifier' || !shownAttributes.test(node.name.name)
  }
  if (parent?.type === 'Property' && parent.key === node && !parent.computed) return true
  if (parent?.type === 'MemberExpression' && parent.property === node) return true
  if (parent?.type === 'BinaryExpression' && /^[!=]==?$/.test(parent.operator)) return true
  if (parent?.type === 'SwitchCase' && parent.test === node) return true
  const isArgument =
    (parent?.type === 'CallExpression' || parent?.type === 'NewExpression') &&
    parent.callee !== node
  return isArgument && callsOfMachines.test(calleeName(parent.callee))
}

function calleeName(callee: ESTree.Node): string {
  if (callee.type === 'Identifier') return callee.name
  if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier') {
    return callee.property.name
  }
  return ''
}

/** Two words of a language beside each other, and no sign of a program, a query or a pattern. */
function isForPeople(text: string): boolean {
  const words =
    /(?:^|[\s("“])[A-Z]?[a-z’'-]+[,:;]? (?:[a-z][a-z’'-]*|\{\w+\}|…)(?=$|[\s.,:;!?)"”’…])/
  const machine =
    /\$\(|\$\{|\/dev\/null|&& |\|\| |\(\?|\\[bsdw]|^#!|__service_|^\s*(?:select|insert|update|delete|with|create|alter|drop|lock|left join|inner join|query)\s[^:]*\b(?:from|into|set|table|index|as|on|in|mode)\b/m
  return words.test(text) && !machine.test(text)
}
