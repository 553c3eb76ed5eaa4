/** Short names for the AST and lint types that the whole plugin speaks of. Types only: nothing is imported at run time. */
import type { TSESLint, TSESTree } from '@typescript-eslint/utils';

export type Node = TSESTree.Node;
export type CallExpression = TSESTree.CallExpression;
export type Identifier = TSESTree.Identifier;
export type Statement = TSESTree.Statement;
export type FunctionNode =
  TSESTree.ArrowFunctionExpression | TSESTree.FunctionDeclaration | TSESTree.FunctionExpression;
export type ClassNode = TSESTree.ClassDeclaration | TSESTree.ClassExpression;
export type Program = TSESTree.Program;
export type SourceCode = TSESLint.SourceCode;
export type Scope = TSESLint.Scope.Scope;
export type Variable = TSESLint.Scope.Variable;
export type Range = readonly [number, number];

export type { TSESTree };
