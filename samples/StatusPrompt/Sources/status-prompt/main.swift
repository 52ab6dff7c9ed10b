import SampleStage

Stage.run(fixes: ["hop"]) { stage in try await Story(stage).play() }
