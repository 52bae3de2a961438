/**
 * The entry of the third bundle: colours for code. It is fetched when the first block of code with a
 * language stands on the page, and makes itself known there.
 */
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import django from "highlight.js/lib/languages/django";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import go from "highlight.js/lib/languages/go";
import graphql from "highlight.js/lib/languages/graphql";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import lua from "highlight.js/lib/languages/lua";
import makefile from "highlight.js/lib/languages/makefile";
import markdown from "highlight.js/lib/languages/markdown";
import nginx from "highlight.js/lib/languages/nginx";
import perl from "highlight.js/lib/languages/perl";
import php from "highlight.js/lib/languages/php";
import powershell from "highlight.js/lib/languages/powershell";
import python from "highlight.js/lib/languages/python";
import r from "highlight.js/lib/languages/r";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import scss from "highlight.js/lib/languages/scss";
import shell from "highlight.js/lib/languages/shell";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { announceBundle } from "../bundles.js";
import { nodesOf, type TokenTree } from "./nodes.js";

const LANGUAGES = {
  bash, c, cpp, csharp, css, diff, django, dockerfile, go, graphql, ini, java, javascript, json, kotlin, lua,
  makefile, markdown, nginx, perl, php, powershell, python, r, ruby, rust, scss, shell, sql, swift, typescript,
  xml, yaml,
}; // prettier-ignore

for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** The code with its words marked, or null for a language that is not known here. */
function highlight(code: string, language: string): DocumentFragment | null {
  if (hljs.getLanguage(language) === undefined) return null;
  const result = hljs.highlight(code, { language, ignoreIllegals: true });
  // The tree behind the HTML that it would write: no string of markup is ever made.
  return nodesOf((result._emitter as unknown as { rootNode: TokenTree }).rootNode);
}

announceBundle("highlight", { highlight });
