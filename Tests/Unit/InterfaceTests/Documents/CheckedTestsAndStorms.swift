// with: Tests/Unit/InterfaceTests/Documents/testing.swift
import Testing
